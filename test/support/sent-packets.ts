/** What a program sends beyond this machine, out of `strace -f -yy -e trace=connect,sendto,sendmsg,sendmmsg`. */

const ADDRESS = /inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"/g;
/** Of a connected socket, as -yy shows it: `<UDP:[10.0.0.2:5000->8.8.8.8:53]>`. */
const PEER = /^\S* *\w+\(\d+<(?:TCP|UDP)(?:v6)?:\[[^>]*->\[?([^\]>]+?)\]?:\d+\]>/;
const RESOLVER = /sun_path="[^"]*(nscd|resolve|avahi|mdns)[^"]*"/;

const isLoopback = (address: string) => /^(127\.|::1$|::ffff:127\.|0\.0\.0\.0$|::$)/.test(address);

function addressesOf(line: string): string[] {
  const named = [...line.matchAll(ADDRESS)].map(([, v4, v6]) => v4 ?? v6 ?? '');
  const peer = PEER.exec(line)?.[1];
  return peer === undefined ? named : [...named, peer];
}

const UNFINISHED = ' <unfinished ...>';

/** Each call in one line: strace writes the two ends of a call apart when another thread calls meanwhile. */
function wholeCalls(trace: string): string[] {
  const begun = new Map<string, string>();
  const calls: string[] = [];
  for (const line of trace.split('\n')) {
    const [thread = ''] = line.split(' ', 1);
    const [, end] = /<\.\.\. \w+ resumed>(.*)/.exec(line) ?? [];
    if (line.endsWith(UNFINISHED)) begun.set(thread, line.slice(0, -UNFINISHED.length));
    else if (end === undefined) calls.push(line);
    else {
      calls.push(`${begun.get(thread) ?? ''}${end}`);
      begun.delete(thread);
    }
  }
  return [...calls, ...begun.values()];
}

/** Calls that send a packet to another machine, or ask a resolver. To connect a UDP socket sends nothing (connect(2)). */
export function sentPackets(trace: string): string[] {
  return wholeCalls(trace).filter((line) => {
    if (RESOLVER.test(line) && !/ = -1 /.test(line)) return true;
    // Questions to the kernel, about its routes.
    if (/\(\d+<NETLINK/.test(line)) return false;
    if (/\bconnect\(\d+<UDP/.test(line) || / = -1 (ENETUNREACH|EADDRNOTAVAIL)/.test(line)) return false;
    return addressesOf(line).some((address) => !isLoopback(address));
  });
}
