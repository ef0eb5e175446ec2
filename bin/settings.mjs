/** Settings that Bun reads once at its start, for a gateway in use. */
export const gatewaySettings = {
  NODE_ENV: "production",
  // Memory of the machine in the garbage collector's eyes: on a large machine it would let a
  // gateway that lives in 100 MB grow to twice that before it looks.
  BUN_JSC_forceRAMSize: String(256 * 1024 * 1024),
  // A heap this small is soon marked, at one go: a little at a time between requests takes longer,
  // and what is made meanwhile stays for that long. With a second thread 3 % more were served.
  BUN_JSC_useConcurrentGC: "0",
  BUN_JSC_numberOfGCMarkers: "2",
  // The heap may grow to this much of what a full collection left, in place of twice that: most of
  // what the code of the compiler's last tier takes is saved so.
  BUN_JSC_smallHeapGrowthFactor: "1.9",
  // The collector looks whenever enough is new. Beside that Bun has it look every second, in each
  // thread, which is only of use after a burst: then what it left is given back this much later.
  BUN_GC_TIMER_INTERVAL: "20000",
};
