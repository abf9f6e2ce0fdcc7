/**
 * Captures of packets in files (pcap and pcapng), read and written, and their RoCEv2 packets in
 * words: {@code ./dxnet sniff}. No objects of verbs here.
 */
package io.dxnet.softhca.capture;
