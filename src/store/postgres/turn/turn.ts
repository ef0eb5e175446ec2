// The turn of a node, as a function of the database: its batch is applied whole, once, and only
// while the node is live; then what it asks for is lent. `@name` is another function of the ledger.
//
// SL001: the node is fenced. SL002: the database has forgotten turns. SL003: a bug of the node.

import { caps, keys, moveLimited } from "./limited.ts";

/** Additions of the rooms whose rows go with the money: statements over v_doc and p_logged. */
export interface TurnRows {
  joined: string;
  logged: string;
}

export const turn = ({ joined, logged }: TurnRows) => `
  (p_node text, p_seq bigint, p_ttl_ms bigint, p_doc jsonb, p_logged jsonb)
  returns jsonb language plpgsql as $turn$
declare
  v_doc jsonb := p_doc;
  v_seq bigint;
  v_state text;
  v_conflicts jsonb;
  v_again boolean := false;
  v_reply jsonb := '{}';
begin
  update node set seq = p_seq, lease_until = clock_timestamp() + p_ttl_ms * interval '1 ms',
      conflicts = null
    where id = p_node and seq = p_seq - 1 and state = 'live';
  if not found then
    select seq, state, conflicts into v_seq, v_state, v_conflicts from node where id = p_node;
    if v_seq >= p_seq then
      v_again := true;
      if v_seq > p_seq then v_conflicts := null; end if;
      -- After a restart the turn shows before a standby has it. A commit behind it is answered
      -- only when the standby has both, so whatever was acknowledged is there after a failover.
      update node set lease_until = case when state = 'live'
          then clock_timestamp() + p_ttl_ms * interval '1 ms' else lease_until end
        where id = p_node;
    elsif v_state = 'live' then
      raise exception 'turns after % are lost', v_seq using errcode = 'SL002';
    else
      raise exception 'fenced' using errcode = 'SL001';
    end if;
  end if;
  if not v_again then
    if v_doc ? 'taskChanges' or v_doc ? 'creates' then
      v_conflicts := @conflicts(v_doc);
      if v_conflicts is not null then
        v_doc := @without(v_doc, v_conflicts);
        p_logged := @without(p_logged, v_conflicts);
        update node set conflicts = v_conflicts where id = p_node;
      end if;
    end if;
    perform @own(p_node, v_doc);
    -- From here on rows that nodes share, locked in one order: nobody waits in a circle.
    if v_doc ?| array['asks', 'keyAsks', 'capAsks', 'returns', 'keyReturns', 'capReturns',
        'taskHolds', 'taskEntries', 'capLimits', 'capEnds'] then
      perform @lock(v_doc);
      perform @give_back(p_node, v_doc);
      if v_doc ? 'taskHolds' then perform @hold_tasks(p_node, v_doc->'taskHolds'); end if;
      if v_doc ? 'taskEntries' then perform @end_tasks(p_node, v_doc->'taskEntries'); end if;
      if v_doc ?| array['capLimits', 'capEnds'] then perform @change_caps(v_doc); end if;
      perform @lend(p_node, v_doc);
    end if;
    if v_doc ? 'recalls' then perform @recall(v_doc->'recalls'); end if;
    ${joined}
    if p_logged is not null then
      ${logged}
    end if;
  end if;
  if v_conflicts is not null then v_reply := jsonb_build_object('conflicts', v_conflicts); end if;
  if p_doc ?| array['asks', 'keyAsks', 'capAsks', 'caps'] then
    v_reply := v_reply || @lent(p_node, p_doc);
  end if;
  if exists (select from recall) then v_reply := v_reply || @recalled(p_node); end if;
  return v_reply || jsonb_build_object('again', v_again);
end $turn$`;

/** Tasks that are somebody else's by now: they come to nothing, with their money. */
export const conflicts = `
  (p_doc jsonb) returns jsonb language plpgsql as $conflicts$
declare v jsonb; v_ids text[] := '{}';
begin
  for v in select value from jsonb_array_elements(p_doc->'creates')
      order by value->>0, value->>1 loop
    insert into idempotent_create as c
        (account_id, idempotency_key, body_digest, task_id, created_at_ms)
      values (v->>0, v->>1, v->>2, v->>3, (v->>4)::bigint)
      on conflict (account_id, idempotency_key) do update set body_digest = excluded.body_digest,
        task_id = excluded.task_id, created_at_ms = excluded.created_at_ms
      where c.created_at_ms <= excluded.created_at_ms - 86400000 or exists (select from task t
        where t.id = c.task_id and t.state = 'failed' and t.deleted_at_ms is not null);
    if not found then v_ids := v_ids || (v->>3); end if;
  end loop;
  perform 1 from task where id = any (array(
    select c->>0 from jsonb_array_elements(p_doc->'taskChanges') c)) order by id for update;
  v_ids := v_ids || array(
    select c->>0 from jsonb_array_elements(p_doc->'taskChanges') c
      left join lateral (select state, owner from task where id = c->>0 offset 0) t on true
    where not coalesce(case when t.state in ('completed', 'failed') then t.state = c->>1
      else t.owner is not distinct from c->>13 end, false) or t.state is null);
  return case when cardinality(v_ids) > 0 then to_jsonb(v_ids) end;
end $conflicts$`;

/** A document without the rows of some tasks; the task is the row's first cell, or a later one. */
export const without = `
  (p_doc jsonb, p_ids jsonb) returns jsonb language sql as $without$
  select jsonb_object_agg(list.key, (
    select coalesce(jsonb_agg(v), '[]') from jsonb_array_elements(list.value) v
      where not p_ids ? coalesce(v->>0, '') and not p_ids ? coalesce(case list.key
        when 'deliveries' then v->>1 when 'rows' then v->>28 end, '')))
  from jsonb_each(p_doc) list
$without$`;

/** Rows that no other node touches. The counts must match: a hold is closed once, by its node. */
export const own = `
  (p_node text, p_doc jsonb) returns void language plpgsql as $own$
declare n bigint;
begin
  if p_doc ? 'holds' then
    insert into hold (id, kind, node_id, account_id, key_id, group_name, model, micros, price,
        created_at_ms, caps)
      select v->>0, 'request', p_node, v->>1, v->>2, v->>3, v->>4, (v->>5)::bigint, v->>6,
        (v->>7)::bigint, v->>8 from jsonb_array_elements(p_doc->'holds') v;
  end if;
  if p_doc ? 'closed' then
    delete from hold where node_id = p_node and id = any (array(
      select v->>0 from jsonb_array_elements(p_doc->'closed') v));
    get diagnostics n = row_count;
    if n <> jsonb_array_length(p_doc->'closed') then
      raise exception 'closed %', n using errcode = 'SL003';
    end if;
  end if;
  if p_doc ? 'entries' then perform @enter(p_doc->'entries'); end if;
  -- Each row is looked up by itself (offset 0): a join that is planned while there are few slices
  -- would be kept when there are many.
  if p_doc ? 'accounts' then
    update ledger_slice s set available_micros = s.available_micros + (a.v->>2)::bigint,
        held_micros = s.held_micros + (a.v->>3)::bigint,
        spent_micros = s.spent_micros + (a.v->>4)::bigint
      from (select x.tid, v from jsonb_array_elements(p_doc->'accounts') v cross join lateral
        (select ctid as tid from ledger_slice where node_id = p_node and account_id = v->>0
          offset 0) x) a
      where s.ctid = a.tid;
    get diagnostics n = row_count;
    if n <> jsonb_array_length(p_doc->'accounts') then
      raise exception 'accounts %', n using errcode = 'SL003';
    end if;
  end if;
  ${moveLimited(keys, "keys")}
  ${moveLimited(caps, "caps")}
end $own$`;

export const enterEntries = `
  (p_entries jsonb) returns void language sql as $enter$
  insert into entry (id, kind, account_id, key_id, group_name, model, held_micros, micros,
      loss_micros, price, usage, reason, actor, at_ms, caps)
    select v->>0, v->>1, v->>2, v->>3, v->>4, v->>5, (v->>6)::bigint, (v->>7)::bigint,
      (v->>8)::bigint, v->>9, v->>10, v->>11, v->>12, (v->>13)::bigint, v->>14
    from jsonb_array_elements(p_entries) v
$enter$`;
