// The one script that lends a node a part of what a subject may do, and how it is called. The clock
// is that of the store, so that nodes need not agree on theirs. Levels are counted in
// sixty-thousandths, as in `bucket.ts`.

/** A node's ask, and its report. Limits that are null do not exist. */
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
  /** Places that it uses already, lent or not: it may have gone by its share. */
  placesInUse: number;
  /** Memory that is sent once after a loss, in case the store has lost its count. */
  memory: LeaseMemory | null;
}

/** Memory of a node about a count: `missing` as it heard of it, `taken` since by itself. */
export interface LeaseMemory {
  requestsMissing: number;
  requestsTaken: number;
  tokensMissing: number;
  tokensTaken: number;
}

export interface LeaseReply {
  /** Requests that were lent, and when there may be more. */
  requests: number;
  requestsWaitMs: number;
  /** Requests left for all. */
  requestsLeft: number;
  tokensLeft: number;
  /** Until the level of tokens is above zero. */
  tokensWaitMs: number;
  places: number;
  /** Places that other nodes have. */
  placesElsewhere: number;
  /** Time that places have been short, 0 while they are not. */
  contestedMs: number;
  /** Age of the store's content; 0 unless it was told a memory. */
  storeAgeMs: number;
}

/** A node that has not been heard of for so long has its places no more. */
export const placeLifeMs = 15_000;
const contestMs = 5000;
/** Nodes that come back within such a time of each other come back from one loss. */
const returnMs = 3000;
const noLimit = -1;

/** Since when the store has not been empty. */
export const bornName = "sluice:born";

export const leaseScript = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local key, node = KEYS[1], ARGV[1]
local rpm, tpm, conc = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local want, alone, used = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local places, life, contest = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
local inUse, span = tonumber(ARGV[11]), tonumber(ARGV[12])
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
local lacking, lackingTokens, age = nil, nil, 0
if ARGV[13] ~= '' then
  redis.call('SET', '${bornName}', now, 'NX')
  age = now - redis.call('GET', '${bornName}')
  redis.call('HSET', key, 'm:' .. node, table.concat({
    now, ARGV[13], ARGV[14], ARGV[6], ARGV[15], ARGV[16], ARGV[7] }, ' '))
  local f = redis.call('HGETALL', key)
  local sums, most, mostTokens = { 0, 0, 0, 0 }, -math.huge, -math.huge
  for i = 1, #f, 2 do
    if f[i]:sub(1, 2) == 'm:' then
      local n = {}
      for word in f[i + 1]:gmatch('%S+') do n[#n + 1] = tonumber(word) end
      if n[1] + span < now then redis.call('HDEL', key, f[i])
      else
        most, mostTokens = math.max(most, n[2]), math.max(mostTokens, n[5])
        for at, from in ipairs({ 3, 4, 6, 7 }) do sums[at] = sums[at] + n[from] end
      end
    end
  end
  lacking = math.max(most + sums[1], sums[2])
  lackingTokens = math.max(mostTokens + sums[3], sums[4])
end
local function remembered(units, per, missing)
  if not missing then return units end
  return math.min(units, (per - missing) * 60000)
end
local lent, wait, left = 0, 0, 0
if rpm >= 0 then
  local r = math.max(0, remembered(level(s[1], rpm) - alone * 60000, rpm, lacking))
  lent = math.min(want, math.floor(r / 60000))
  r = r - lent * 60000
  if lent == 0 then wait = rpm > 0 and math.ceil((60000 - r) / rpm) or 60000 end
  left = math.floor(r / 60000)
  keep(r, rpm)
  redis.call('HSET', key, 'r', r)
end
local tokens, tokenWait = 0, 0
if tpm >= 0 then
  local k = remembered(level(s[2], tpm) - used * 60000, tpm, lackingTokens)
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
  local had = math.max(places, inUse)
  if had > 0 then redis.call('HSET', key, 'n:' .. node, had .. ' ' .. (now + life))
  else redis.call('HDEL', key, 'n:' .. node) end
end
redis.call('HSET', key, 'at', now)
redis.call('PEXPIRE', key, expire)
return { lent, wait, left, tokens, tokenWait, places, others, contested, age }
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
    ask.placesInUse,
    returnMs,
  ];
  return [node, ...numbers.map(String), ...memoryWords(ask.memory)];
}

function memoryWords(memory: LeaseMemory | null): string[] {
  if (memory === null) return ["", "", "", ""];
  const { requestsMissing, requestsTaken, tokensMissing, tokensTaken } = memory;
  return [requestsMissing, requestsTaken, tokensMissing, tokensTaken].map(String);
}

export function readLease(answer: unknown): LeaseReply {
  const numbers = Array.isArray(answer) ? answer.map(Number) : [];
  if (numbers.length !== 9 || numbers.some(Number.isNaN)) throw new Error("not a lease");
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
    storeAgeMs: at(8),
  };
}
