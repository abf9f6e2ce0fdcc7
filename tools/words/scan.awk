# Finds the words of tools/words/list in Markdown files and in the comments of Java files.
# awk -f scan.awk LIST FILE...: prints file, line, word and what to write instead, separated by tabs.
# For every awk of POSIX: mawk, gawk, busybox, those of macOS and the BSDs. A byte \001 marks the beginning of a block, a
# byte \002 stands for what is hidden: code, links, quotations.

BEGIN {
  FS = "\t"
  EDGE = "[^a-z0-9_-]"
  BEGIN_OF_WORD = "[^a-z0-9_.#@/-]" # not Class.member, #member, a/path
  END_OF_WORD = "[^a-z0-9_(/-]" # not member()
  BEGIN_OF_SENTENCE = "(\001[ \n]*|[.!?:|][ \n]+)"
}

# The list.
FNR == NR {
  sub(/\r$/, "")
  if ($0 ~ /^#/ || $0 == "") next
  if (NF < 3) {
    printf "%s:%d: three fields at least, separated by tabs\n", FILENAME, FNR >"/dev/stderr"
    bad = 1
    exit 2
  }
  rules++
  pattern = words($2)
  find[rules] = pattern ~ /^\^/ ? BEGIN_OF_SENTENCE "(" substr(pattern, 2) ")" END_OF_WORD : BEGIN_OF_WORD "(" pattern ")" END_OF_WORD
  instead[rules] = $3
  allowed[rules] = $4 == "" ? "" : EDGE "(" words($4) ")"
  any = any (any == "" ? "" : "|") find[rules]
  next
}

FNR == 1 {
  end_block()
  is_java = FILENAME ~ /\.java$/
  fence = in_comment = in_text = in_pre = 0
}

{
  sub(/\r$/, "")
  if (is_java) java($0)
  else markdown($0)
}

END { if (!bad) end_block() }

function words(pattern) { gsub(/ /, "[ \n]+", pattern); return pattern }

# ---------------------------------------------------------------- blocks: paragraphs, list items, table rows, comments

function add(text) {
  if (lines == 0) {
    first = FNR
    file = FILENAME
  }
  block = block "\n" text
  lines++
}

function end_block() {
  if (lines > 0) scan("\001" block "\n")
  block = ""
  lines = 0
}

# Hides what the expression matches; lines stay lines.
function hide(text, expression,   result, part) {
  while (match(text, expression)) {
    part = substr(text, RSTART, RLENGTH)
    gsub(/[^\n]/, "\002", part)
    result = result substr(text, 1, RSTART - 1) part
    text = substr(text, RSTART + RLENGTH)
  }
  return result text
}

function hide_code(text) {
  if (is_java) {
    text = hide(text, "[{]@[a-z]+[^{}]*([{][^{}]*[}][^{}]*)*[}]")
    text = hide(text, "<code>[^<]*</code>")
    text = hide(text, "@(param|throws|exception|see|since)[ \n]+[^ \n]+")
  } else {
    text = hide(text, "``[^`]+``")
    text = hide(text, "\\]\\([^()]*\\)")
    text = hide(text, "<[^<> \n]+>")
  }
  text = hide(text, "`[^`]*`")
  text = hide(text, "\"[^\"]*\"")
  return hide(text, "“[^”]*”")
}

function scan(text,   i, rest, line, found, lead, skipped) {
  text = tolower(text)
  if (text !~ any) return
  text = hide_code(text)
  if (text !~ any) return
  for (i = 1; i <= rules; i++) {
    if (text !~ find[i]) continue
    rest = allowed[i] == "" ? text : hide(text, allowed[i])
    line = first - 1 # of the newline that the block begins with
    while (match(rest, find[i])) {
      found = substr(rest, RSTART, RLENGTH - 1)
      skipped = substr(rest, 1, RSTART - 1)
      rest = substr(rest, RSTART + RLENGTH - 1) # its last character may be the edge of the next word
      lead = found
      sub(/[a-z].*$/, "", lead)
      line += newlines(skipped lead)
      found = substr(found, length(lead) + 1)
      printf "%s\t%d\t%s\t%s\n", file, line, flat(found), instead[i]
      line += newlines(found)
    }
  }
}

function newlines(text) { return gsub(/\n/, "", text) }

function flat(text) { gsub(/[ \n]+/, " ", text); return text }

# ---------------------------------------------------------------- Markdown

function markdown(line,   mark) {
  if (line ~ /^ *(```|~~~)/) {
    mark = line
    sub(/^ */, "", mark)
    mark = substr(mark, 1, 3)
    end_block()
    if (fence == 0) fence = mark
    else if (fence == mark) fence = 0
    return
  }
  if (fence != 0) return
  if (line ~ /^[ \t]*$/ || line ~ /^ *>/) { # a quotation
    end_block()
    return
  }
  if (line ~ /^ *([-*+]|[0-9]+[.)]) / || line ~ /^ *[|#]/) {
    end_block()
    sub(/^ *([-*+]|[0-9]+[.)]|#+)? */, "", line)
  }
  add(line)
}

# ---------------------------------------------------------------- Java

# A line that is a comment has at most 100 columns: characters, not bytes.
function width(line,   columns) {
  if (in_pre || in_comment && line !~ /^[ \t]*\*/ || !in_comment && line !~ /^[ \t]*\/[\/*]/) return
  if (line ~ /^[ \t]*\/\/ ---/) return # a heading between methods
  gsub(/[\200-\277]/, "", line)
  columns = length(line)
  if (columns > 100) printf "%s\t%d\t%s\t%s\n", FILENAME, FNR, columns " columns", "wrap comments at 100 columns"
}

function java(line,   at, rest, end) {
  if (!in_text) width(line)
  if (in_text) {
    if (!(at = index(line, "\"\"\""))) return
    in_text = 0
    line = substr(line, at + 3)
  }
  if (in_comment) {
    if (!(at = index(line, "*/"))) {
      comment(line)
      return
    }
    comment(substr(line, 1, at - 1))
    end_comment()
    line = substr(line, at + 2)
  }
  rest = line
  # A line comment goes on with the one on the next line, where that has nothing else.
  if (line !~ /^[ \t]*\/\//) end_block()
  while (match(rest, /["']|\/\/|\/\*/)) {
    at = substr(rest, RSTART, 2)
    rest = substr(rest, RSTART)
    if (substr(rest, 1, 3) == "\"\"\"") {
      rest = substr(rest, 4)
      if (!(end = index(rest, "\"\"\""))) {
        in_text = 1
        return
      }
      rest = substr(rest, end + 3)
    } else if (at == "//") {
      add(substr(rest, 3))
      return
    } else if (at == "/*") {
      rest = substr(rest, 3)
      if (!(end = index(rest, "*/"))) {
        in_comment = 1
        comment(rest)
        return
      }
      end_block()
      comment(substr(rest, 1, end - 1))
      end_comment()
      rest = substr(rest, end + 2)
    } else if (match(rest, /^"([^"\\]|\\.)*"/) || match(rest, /^'([^'\\]|\\.)+'/)) {
      rest = substr(rest, RLENGTH + 1)
    } else {
      rest = substr(rest, 2)
    }
  }
}

function comment(line) {
  sub(/^[ \t]*\*+/, "", line)
  if (in_pre) {
    if (line !~ /<\/pre>/) return
    in_pre = 0
    sub(/^.*<\/pre>/, "", line)
  }
  if (line ~ /<pre>/) {
    if (line ~ /<\/pre>/) gsub(/<pre>.*<\/pre>/, "", line)
    else {
      in_pre = 1
      sub(/<pre>.*$/, "", line)
    }
  }
  if (line ~ /^[ \t]*$/ || line ~ /^[ \t]*@/ || line ~ /^[ \t]*<(p|li|ul|ol)>/) end_block()
  gsub(/<\/?(p|li|ul|ol|em|b|i|strong)>/, "", line)
  if (line !~ /^[ \t]*$/) add(line)
}

function end_comment() {
  in_comment = in_pre = 0
  end_block()
}
