// Lending, recalling and giving back, as functions of the database. What is lent is taken from the
// account's row under its lock, so nothing is ever lent twice.
import {
  caps,
  giveLimitedBack,
  keys,
  lendLimited,
  limitedLent,
  shortLimited,
  turnedAt,
  unheardMs,
} from "./limited.ts";

/**
 * Rows that nodes share: accounts, then keys, then caps, each by id, so that nobody waits in a
 * circle. A window's row is made by whoever asks for it first; nobody can hold a cap that is not
 * there yet, so those that wait here for one another have none to wait for. Its limit is the
 * budget's as that is now, whatever its node has heard: a change that comes later finds the row.
 */
export const lock = `
  (p_doc jsonb) returns void language plpgsql as $lock$
declare v_accounts text[]; v_keys text[]; v_caps text[];
begin
  select array_agg(distinct x.account), array_agg(distinct x.key) into v_accounts, v_keys from (
    select v->>0 as account, null as key from jsonb_array_elements(p_doc->'asks') v union all
    select v->>0, null from jsonb_array_elements(p_doc->'returns') v union all
    select null, v->>0 from jsonb_array_elements(p_doc->'keyAsks') v union all
    select null, v->>0 from jsonb_array_elements(p_doc->'keyReturns') v union all
    select v->>1, v->>2 from jsonb_array_elements(p_doc->'taskHolds') v union all
    select v->>2, v->>3 from jsonb_array_elements(p_doc->'taskEntries') v) x;
  perform 1 from ledger_account where account_id = any (v_accounts) order by account_id for update;
  perform 1 from ledger_key where key_id = any (v_keys) order by key_id for update;
  if p_doc ? 'capAsks' then
    insert into cap (id, budget_id, account_id, subject_id, mode, opened_at_ms, closes_at_ms,
        limit_micros, budget_micros, carried_micros, raised_micros)
      select n.id, n.budget_id, v->>6, v->>7, v->>8, (v->>9)::bigint, (v->>10)::bigint,
          n.budget_micros + n.carried, n.budget_micros, n.carried, 0
        from jsonb_array_elements(p_doc->'capAsks') v cross join lateral (
          select v->>0 as id, v->>5 as budget_id, c.carried, coalesce(
              (select b.limit_micros from budget b where b.id = v->>5 for share),
              (v->>11)::bigint - c.carried) as budget_micros
            from (select coalesce((v->>12)::bigint, 0) as carried) c) n
        where v->>5 is not null order by 1
      on conflict (id) do nothing;
  end if;
  if not p_doc ?| array['capAsks', 'capReturns', 'capLimits', 'capEnds', 'taskHolds', 'taskEntries']
  then return; end if;
  select array_agg(distinct x.cap) into v_caps from (
    select v->>0 as cap from jsonb_array_elements(p_doc->'capAsks') v union all
    select v->>0 from jsonb_array_elements(p_doc->'capReturns') v union all
    select v->>0 from jsonb_array_elements(p_doc->'capLimits') v union all
    select v->>0 from jsonb_array_elements(p_doc->'capEnds') v union all
    select unnest(string_to_array(v->>8, ' '))
      from jsonb_array_elements(p_doc->'taskHolds') v union all
    select unnest(string_to_array(v->>14, ' '))
      from jsonb_array_elements(p_doc->'taskEntries') v) x;
  perform 1 from cap where id = any (v_caps) order by id for update;
end $lock$`;

/** Money goes back to its account, and what was spent is told with it. */
export const giveBack = `
  (p_node text, p_doc jsonb) returns void language plpgsql as $back$
begin
  if p_doc ? 'returns' then
    update ledger_account a set available_micros = a.available_micros + (v->>1)::bigint,
        spent_micros = a.spent_micros + s.spent_micros,
        lent_micros = a.lent_micros - (v->>1)::bigint - s.spent_micros
      from jsonb_array_elements(p_doc->'returns') v
        join ledger_slice s on s.node_id = p_node and s.account_id = v->>0
      where a.account_id = v->>0;
    update ledger_slice s set granted_micros = s.granted_micros - (v->>1)::bigint - s.spent_micros,
        available_micros = s.available_micros - (v->>1)::bigint, spent_micros = 0,
        returned_at = clock_timestamp()
      from jsonb_array_elements(p_doc->'returns') v
      where s.node_id = p_node and s.account_id = v->>0;
  end if;
  ${giveLimitedBack(keys, "keyReturns")}
  ${giveLimitedBack(caps, "capReturns")}
  -- A window that is over leaves nothing behind of a node that has nothing of it.
  if p_doc ? 'capReturns' then
    delete from cap_slice s using jsonb_array_elements(p_doc->'capReturns') v
      where s.node_id = p_node and s.cap_id = v->>0 and (v->>2)::bigint = 1;
  end if;
end $back$`;

/**
 * All that is needed where it is there, and more: up to half where no other node has any of it, so
 * that a death leaves the other half in reach; else only of what is plenty, so that others find
 * theirs. A key whose limit came or went since is brought to it first.
 */
export const lend = `
  (p_node text, p_doc jsonb) returns void language plpgsql as $lend$
declare v_nodes bigint;
begin
  if not p_doc ?| array['asks', 'keyAsks', 'capAsks'] then return; end if;
  select count(*) into v_nodes from node where state = 'live';
  if p_doc ? 'asks' then
    with give as (
      select a.account_id, a.unlimited, case when a.unlimited = 1 then 0 else
          least(a.available_micros, greatest((v->>1)::bigint, least((v->>2)::bigint,
            a.available_micros / case when exists (select from ledger_slice o
              where o.account_id = a.account_id and o.node_id <> p_node and o.granted_micros > 0)
              then 4 * v_nodes else 2 end))) end as micros
        from jsonb_array_elements(p_doc->'asks') v join ledger_account a on a.account_id = v->>0),
    taken as (
      update ledger_account a set available_micros = a.available_micros - g.micros,
          lent_micros = a.lent_micros + g.micros
        from give g where a.account_id = g.account_id and g.micros > 0)
    insert into ledger_slice as s
        (node_id, account_id, unlimited, granted_micros, available_micros, lent_ever_micros)
      select p_node, account_id, unlimited, micros, micros, micros from give
      on conflict (node_id, account_id) do update set
        granted_micros = s.granted_micros + excluded.granted_micros,
        available_micros = s.available_micros + excluded.available_micros,
        lent_ever_micros = s.lent_ever_micros + excluded.lent_ever_micros,
        returned_at = case when excluded.granted_micros > 0 then null else s.returned_at end;
  end if;
  if p_doc ? 'keyAsks' then
    perform @turn_limits(p_node, p_doc->'keyAsks');
    ${lendLimited(keys, "keyAsks")}
  end if;
  if p_doc ? 'capAsks' then
    ${lendLimited(caps, "capAsks")}
  end if;
  perform @recall_short(p_node, p_doc);
end $lend$`;

/**
 * A slice that was of no limit counts what it has in use as lent from now on, and the reverse. Only
 * the node knows what it holds: most holds are never written.
 */
export const turnLimits = `
  (p_node text, p_key_asks jsonb) returns void language plpgsql as $limits$
begin
  update ledger_key k set lent_micros = k.lent_micros
      + case when s.limited = 0 then s.spent_micros + greatest(s.held_micros, (v->>3)::bigint)
        else - s.granted_micros end
    from jsonb_array_elements(p_key_asks) v
      join ledger_key_slice s on s.node_id = p_node and s.key_id = v->>0
    where k.key_id = v->>0 and s.limited <> (k.limit_micros is not null)::int;
  update ledger_key_slice s set limited = 1 - s.limited,
      granted_micros = case when s.limited = 1 then 0
        else s.spent_micros + greatest(s.held_micros, (v->>3)::bigint) end
    from jsonb_array_elements(p_key_asks) v join ledger_key k on k.key_id = v->>0
    where s.node_id = p_node and s.key_id = v->>0
      and s.limited <> (k.limit_micros is not null)::int;
end $limits$`;

/**
 * Recall the slices of others. A recall that stands is not renewed at once: who has answered it and
 * still has something holds it for requests, and whoever asks must come to know that. But who holds
 * something has to be heard of after it was asked for: it may have died with it.
 */
export const recallShort = `
  (p_node text, p_doc jsonb) returns void language plpgsql as $short$
declare n bigint;
begin
  with short as (
    select a.account_id as subject, (v->>3)::bigint as fresh, x.free, x.turned_at
      from jsonb_array_elements(p_doc->'asks') v join ledger_account a on a.account_id = v->>0
        cross join lateral (select max(s.available_micros) as free, min(${turnedAt}) as turned_at
          from ledger_slice s join node n on n.id = s.node_id where s.account_id = a.account_id
            and s.node_id <> p_node and s.granted_micros > s.spent_micros) x
      where a.unlimited = 0 and (v->>1)::bigint > 0 and a.available_micros = 0
    union all
    ${shortLimited(keys, "keyAsks")}
    union all
    ${shortLimited(caps, "capAsks")}),
  recalled as (
    insert into recall as r
      select subject, clock_timestamp() from short where free > 0 order by subject
      on conflict (subject) do update set at = clock_timestamp()
        where r.at < clock_timestamp() - interval '5 s'
      returning subject),
  told as (
    select subject from recalled union
    select subject from short where fresh = 1
      and turned_at < clock_timestamp() - interval '20 ms')
  select count(pg_notify('sluice_recall', subject)) from told into n;
end $short$`;

/** Recall under any terms: everybody is to ask anew. */
export const recall = `
  (p_subjects jsonb) returns void language plpgsql as $recall$
declare n bigint;
begin
  with recalled as (
    insert into recall as r select distinct v #>> '{}', clock_timestamp()
        from jsonb_array_elements(p_subjects) v order by 1
      on conflict (subject) do update set at = clock_timestamp() returning subject)
  select count(pg_notify('sluice_recall', subject)) from recalled into n;
end $recall$`;

/** A hard window may be used or lent beyond its new limit. Everybody is to hear of it. */
export const changeCaps = `
  (p_doc jsonb) returns void language plpgsql as $change$
begin
  update cap c set limit_micros = (v->>1)::bigint, budget_micros = (v->>2)::bigint,
      carried_micros = (v->>3)::bigint, raised_micros = (v->>4)::bigint,
      lowered_from_micros = greatest(c.lowered_from_micros,
        case when (v->>1)::bigint < c.limit_micros then c.limit_micros else 0 end)
    from jsonb_array_elements(p_doc->'capLimits') v where c.id = v->>0;
  update cap c set closes_at_ms = (v->>1)::bigint
    from jsonb_array_elements(p_doc->'capEnds') v where c.id = v->>0;
  perform @recall((select jsonb_agg(v->0) from jsonb_array_elements(p_doc->'capLimits') v))
    where p_doc ? 'capLimits';
end $change$`;

/**
 * Micros ever lent to this node, those that others have not yet said they have not, and for how
 * long one of those that have or hold something was not heard of. Of caps also the limit and what
 * all have spent, as well of those that are only counted and were moved.
 */
export const lent = `
  (p_node text, p_doc jsonb) returns jsonb language plpgsql as $lent$
declare v_slices jsonb; v_keys jsonb; v_caps jsonb; v_reply jsonb := '{}';
begin
  if p_doc ? 'asks' or p_doc ? 'keyAsks' then
    select jsonb_agg(jsonb_build_array(s.account_id, s.unlimited, s.lent_ever_micros,
        case when (v->>1)::bigint = 0 then 0 else (
          select coalesce(sum(o.available_micros), 0) from ledger_slice o
            left join recall r on r.subject = o.account_id
          where o.account_id = s.account_id and o.node_id <> p_node and o.available_micros > 0
            and coalesce(o.returned_at, '-infinity') < coalesce(r.at, 'infinity')) end,
        case when s.unlimited = 1 or (v->>1)::bigint = 0 then 0 else (
          select ${unheardMs} from ledger_slice o join node n on n.id = o.node_id
          where o.account_id = s.account_id and o.node_id <> p_node
            and o.granted_micros > o.spent_micros) end))
      into v_slices from jsonb_array_elements(p_doc->'asks') v
        join ledger_slice s on s.node_id = p_node and s.account_id = v->>0;
    select jsonb_agg(jsonb_build_array(${limitedLent(keys)}))
      into v_keys from jsonb_array_elements(p_doc->'keyAsks') v
        join ledger_key_slice s on s.node_id = p_node and s.key_id = v->>0;
    v_reply := jsonb_build_object('slices', coalesce(v_slices, '[]'), 'keys',
      coalesce(v_keys, '[]'));
  end if;
  if p_doc ? 'capAsks' then
    select jsonb_agg(jsonb_build_array(${limitedLent(caps)}, c.limit_micros, c.spent_micros,
        c.closes_at_ms, (select case when k.mode = 'hard' then greatest(0, k.spent_micros
          + k.held_micros + k.lent_micros - k.limit_micros) else 0 end
          from cap k where k.id = c.id)))
      into v_caps from jsonb_array_elements(p_doc->'capAsks') v
        join cap_slice s on s.node_id = p_node and s.cap_id = v->>0
        join cap_balance c on c.id = s.cap_id;
    v_reply := v_reply || jsonb_build_object('caps', coalesce(v_caps, '[]'));
  end if;
  if p_doc ? 'caps' then
    select jsonb_agg(jsonb_build_array(c.id, c.limit_micros, c.spent_micros))
      into v_caps from jsonb_array_elements(p_doc->'caps') v
        join cap_balance c on c.id = v->>0 and c.mode <> 'hard';
    v_reply := v_reply || jsonb_build_object('told', coalesce(v_caps, '[]'));
  end if;
  return v_reply;
end $lent$`;

/** Slices of this node that were recalled and not yet given back. */
export const recalled = `
  (p_node text) returns jsonb language plpgsql as $recalled$
begin
  return jsonb_build_object('recalled', (select coalesce(jsonb_agg(x.subject), '[]') from (
    select r.subject from recall r
      join ledger_slice s on s.node_id = p_node and s.account_id = r.subject
      where r.at > coalesce(s.returned_at, '-infinity')
    union all
    select r.subject from recall r
      join ledger_key_slice s on s.node_id = p_node and s.key_id = r.subject
      where r.at > coalesce(s.returned_at, '-infinity')
    union all
    select r.subject from recall r
      join cap_slice s on s.node_id = p_node and s.cap_id = r.subject
      where r.at > coalesce(s.returned_at, '-infinity')) x));
end $recalled$`;
