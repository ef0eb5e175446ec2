// W3C Trace Context: which trace a request belongs to, as its headers say.

interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits, of the caller's span. */
  parentId: string;
  isSampled: boolean;
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const sampledBit = 1;

/** Null where it is not as the standard has it: then the request begins a trace of its own. */
export function readTraceparent(text: string | null): TraceContext | null {
  if (text === null) return null;
  const [, version, traceId = "", parentId = "", flags = "", more] = pattern.exec(text) ?? [];
  // Later versions may say more behind what is known; the first has nothing there.
  if (version === undefined || version === "ff" || (version === "00" && more)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return null;
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & sampledBit) === sampledBit };
}

export function writeTraceparent(traceId: string, spanId: string, isSampled: boolean): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

const stateCharactersMax = 512;

/** Additions of other tracers, which go on as they came; a longer one may be left out. */
export function readTracestate(text: string | null): string | null {
  return text !== null && text !== "" && text.length <= stateCharactersMax ? text : null;
}
