// Reaping of dead nodes by the living, as functions of the database.
import type { TurnRows } from "./turn.ts";

/** A node whose lease has run out is dead from here on, whatever it believes. */
export const reap = `
  () returns setof text language sql as $reap$
  update node set state = 'dead' where id in (
    select id from node where state = 'live' and lease_until < clock_timestamp()
    order by id for update skip locked)
  returning id
$reap$`;

/**
 * Some accounts of one dead node: what it had of them goes back, and the holds of its requests are
 * void, with all that they may have cost as a loss, and with their records for the log in the same
 * commit. Who does not bring the records of just these holds is told the holds, and nothing
 * changes. Returns how many slices there were; to be called again until there are none. Each call
 * leaves the book whole.
 */
export const fold = ({ logged }: Pick<TurnRows, "logged">) => `
  (p_limit bigint, p_at_ms bigint, p_recorded jsonb, p_logged jsonb)
  returns jsonb language plpgsql as $fold$
declare v_node text; v_accounts text[]; v_holds jsonb;
begin
  select s.node_id into v_node from ledger_slice s join node n on n.id = s.node_id
    where n.state = 'dead' order by s.node_id limit 1;
  if not found then return '{"slices":0,"holds":[]}'; end if;
  select array_agg(x.account_id) into v_accounts from (
    select account_id from ledger_slice where node_id = v_node
      order by account_id limit p_limit for update skip locked) x;
  if v_accounts is null then return '{"slices":0,"holds":[]}'; end if;
  select coalesce(jsonb_agg(jsonb_build_array(id, account_id, key_id, group_name, model, micros,
      price, created_at_ms, caps) order by id), '[]') into v_holds
    from hold where node_id = v_node and account_id = any (v_accounts);
  if jsonb_path_query_array(v_holds, '$[*][0]') <> p_recorded then
    return jsonb_build_object('slices', cardinality(v_accounts), 'holds', v_holds);
  end if;
  perform 1 from ledger_account where account_id = any (v_accounts) order by account_id for update;
  perform 1 from ledger_key where account_id = any (v_accounts) and key_id = any (array(
    select key_id from ledger_key_slice where node_id = v_node)) order by key_id for update;
  perform 1 from cap where account_id = any (v_accounts) and id = any (array(
    select cap_id from cap_slice where node_id = v_node)) order by id for update;
  with gone as (
    delete from hold where node_id = v_node and account_id = any (v_accounts) returning *)
  insert into entry (id, kind, account_id, key_id, group_name, model, held_micros, micros,
      loss_micros, price, reason, at_ms, caps)
    select id, 'void', account_id, key_id, group_name, model, micros, 0, micros, price,
      'recovered', p_at_ms, caps from gone;
  update ledger_account a set
      available_micros = a.available_micros + s.available_micros + s.held_micros,
      spent_micros = a.spent_micros + s.spent_micros,
      lent_micros = a.lent_micros - s.granted_micros
    from ledger_slice s
    where s.node_id = v_node and s.account_id = a.account_id and a.account_id = any (v_accounts);
  update ledger_key k set spent_micros = k.spent_micros + s.spent_micros,
      lent_micros = k.lent_micros - s.granted_micros
    from ledger_key_slice s
    where s.node_id = v_node and s.key_id = k.key_id and k.account_id = any (v_accounts);
  delete from ledger_key_slice s using ledger_key k
    where s.node_id = v_node and s.key_id = k.key_id and k.account_id = any (v_accounts);
  update cap c set spent_micros = c.spent_micros + s.spent_micros,
      lent_micros = c.lent_micros - s.granted_micros
    from cap_slice s
    where s.node_id = v_node and s.cap_id = c.id and c.account_id = any (v_accounts);
  delete from cap_slice s using cap c
    where s.node_id = v_node and s.cap_id = c.id and c.account_id = any (v_accounts);
  delete from ledger_slice where node_id = v_node and account_id = any (v_accounts);
  if p_logged is not null then
    ${logged}
  end if;
  return jsonb_build_object('slices', cardinality(v_accounts), 'holds', '[]'::jsonb);
end $fold$`;

/** Recalls that everybody has answered, and nodes that died a day ago and left nothing. */
export const tidy = `
  () returns void language sql as $tidy$
  delete from recall where at < clock_timestamp() - interval '1 minute';
  delete from node n where state = 'dead' and lease_until < clock_timestamp() - interval '1 day'
    and not exists (select from ledger_slice s where s.node_id = n.id);
$tidy$`;
