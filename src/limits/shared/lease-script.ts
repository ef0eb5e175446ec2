// The one script that lends a node a part of what a subject may do, and how it is called. The clock
// is that of the store, so that nodes need not agree on theirs. Levels are counted in
// sixty-thousandths, as in `bucket.ts`.

/** What a node asks for, and what it has to tell. Limits that are null do not exist. */
export interface LeaseAsk {
  subject: string;
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  concurrency: number | null;
  /** Requests to lend. */
  requests: number;
  /** Requests that were admitted while the store was away. */
  admittedAlone: number;
  /** Tokens that were used since the last call. */
  tokens: number;
  /** Places that this node is to have in all. */
  places: number;
}

export interface LeaseReply {
  /** Requests that were lent, and when there may be more. */
  requests: number;
  requestsWaitMs: number;
  /** What is left for all. */
  requestsLeft: number;
  tokensLeft: number;
  /** Until the level of tokens is above zero. */
  tokensWaitMs: number;
  places: number;
  /** What other nodes have of the places. */
  placesElsewhere: number;
  /** How long places have been short, 0 while they are not. */
  contestedMs: number;
}

/** A node that has not been heard of for so long has its places no more. */
export const placeLifeMs = 15_000;
const contestMs = 5000;
const noLimit = -1;

export const leaseScript = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local key, node = KEYS[1], ARGV[1]
local rpm, tpm, conc = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local want, alone, used = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local places, life, contest = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
local s = redis.call('HMGET', key, 'r', 'k', 'at', 'w', 'x')
local gone = math.max(0, now - (tonumber(s[3]) or now))
local expire = 180000
local function level(units, per)
  if not units then return per * 60000 end
  return math.min(per * 60000, tonumber(units) + gone * per)
end
local function keep(units, per)
  local full = per > 0 and math.ceil((per * 60000 - units) / per) + 1000 or 86400000
  if units < per * 60000 or per == 0 then expire = math.max(expire, math.min(full, 86400000)) end
end
local lent, wait, left = 0, 0, 0
if rpm >= 0 then
  local r = math.max(0, level(s[1], rpm) - alone * 60000)
  lent = math.min(want, math.floor(r / 60000))
  r = r - lent * 60000
  if lent == 0 then wait = rpm > 0 and math.ceil((60000 - r) / rpm) or 60000 end
  left = math.floor(r / 60000)
  keep(r, rpm)
  redis.call('HSET', key, 'r', r)
end
local tokens, tokenWait = 0, 0
if tpm >= 0 then
  local k = level(s[2], tpm) - used * 60000
  tokens = math.ceil(k / 60000)
  if k <= 0 then tokenWait = tpm > 0 and math.ceil((1 - k) / tpm) or 60000 end
  keep(k, tpm)
  redis.call('HSET', key, 'k', k)
end
local others, contested = 0, 0
if conc >= 0 then
  local f = redis.call('HGETALL', key)
  for i = 1, #f, 2 do
    if f[i]:sub(1, 2) == 'n:' and f[i] ~= 'n:' .. node then
      local count, ends = f[i + 1]:match('(%d+) (%d+)')
      if tonumber(ends) < now then redis.call('HDEL', key, f[i])
      else others = others + tonumber(count) end
    end
  end
  local first, last = tonumber(s[4]) or 0, tonumber(s[5]) or 0
  if last + contest < now then first = 0 end
  local granted = math.max(0, math.min(places, conc - others))
  if granted < places then
    if first == 0 then first = now end
    redis.call('HSET', key, 'w', first, 'x', now)
  end
  places = granted
  if first > 0 then contested = math.max(1, now - first) end
  if places > 0 then redis.call('HSET', key, 'n:' .. node, places .. ' ' .. (now + life))
  else redis.call('HDEL', key, 'n:' .. node) end
end
redis.call('HSET', key, 'at', now)
redis.call('PEXPIRE', key, expire)
return { lent, wait, left, tokens, tokenWait, places, others, contested }
`;

export function leaseArguments(node: string, ask: LeaseAsk): string[] {
  const numbers = [
    ask.requestsPerMinute ?? noLimit,
    ask.tokensPerMinute ?? noLimit,
    ask.concurrency ?? noLimit,
    ask.requests,
    ask.admittedAlone,
    ask.tokens,
    ask.places,
    placeLifeMs,
    contestMs,
  ];
  return [node, ...numbers.map(String)];
}

export function readLease(answer: unknown): LeaseReply {
  const numbers = Array.isArray(answer) ? answer.map(Number) : [];
  if (numbers.length !== 8 || numbers.some(Number.isNaN)) throw new Error("not a lease");
  const at = (index: number) => numbers[index] ?? 0;
  return {
    requests: at(0),
    requestsWaitMs: at(1),
    requestsLeft: at(2),
    tokensLeft: at(3),
    tokensWaitMs: at(4),
    places: at(5),
    placesElsewhere: at(6),
    contestedMs: at(7),
  };
}
