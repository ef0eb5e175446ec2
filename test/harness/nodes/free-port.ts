// A port that nothing listens on, for programs that cannot choose one by themselves.

/** The system may offer one again that a program was told of and does not listen on yet. */
const taken = new Set<number>();

export function freePort(): number {
  for (;;) {
    const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const { port } = probe;
    probe.stop(true);
    if (taken.has(port)) continue;
    taken.add(port);
    return port;
  }
}
