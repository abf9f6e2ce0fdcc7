# shellcheck shell=bash
# Which Java runs the project's programs; sourced by ./dxnet and by the scripts that run without it.

# Prints the major version of the JDK in folder $1, or nothing where there is no whole JDK.
jdk_major() {
  [ -x "$1/bin/javac" ] && [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 0
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

# JAVA_HOME when it is new enough, else the newest JDK 22+ of the usual folders.
find_jdk() {
  local best="" best_major=21 home major
  if [ -n "${JAVA_HOME:-}" ]; then
    major=$(jdk_major "$JAVA_HOME")
    if [ "${major:-0}" -ge 22 ]; then echo "$JAVA_HOME"; return; fi
  fi
  for home in /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* "${SDKMAN_DIR:-$HOME/.sdkman}"/candidates/java/* "$HOME"/.jdks/* \
      /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    [ -d "$home" ] || continue
    major=$(jdk_major "$home")
    if [ "${major:-0}" -gt "$best_major" ]; then best=$home best_major=$major; fi
  done
  [ -n "$best" ] || { echo "dxnet: no JDK 22 or newer found: install one (Debian: a Temurin or OpenJDK package, or 'sdk install java') or set JAVA_HOME to it." >&2; exit 2; }
  echo "$best"
}

JAVA_HOME=$(find_jdk)
export JAVA_HOME

# Maven 3's own libraries still use Unsafe; JDK 24+ warns about it at every start.
maven() {
  local options=${MAVEN_OPTS:-}
  [ "$(jdk_major "$JAVA_HOME")" -lt 24 ] || options+=" --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED"
  MAVEN_OPTS=$options mvn -B -ntp "$@"
}
