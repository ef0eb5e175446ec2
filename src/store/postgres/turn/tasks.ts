// Holds of tasks, as functions of the database. A task outlives its node, so what it holds is the
// account's: it leaves the slice of the node that began it, and whichever node ends it says so.

/** A sum for each cap that the holds name. */
const heldUnderCaps = `(select x.id, sum((v->>5)::bigint)::bigint as micros
      from jsonb_array_elements(p_holds) v
        cross join lateral unnest(string_to_array(v->>8, ' ')) as x (id) group by 1)`;

export const holdTasks = `
  (p_node text, p_holds jsonb) returns void language plpgsql as $hold$
declare n bigint;
begin
  insert into hold (id, kind, account_id, key_id, group_name, model, micros, price, created_at_ms,
      caps)
    select v->>0, 'task', v->>1, v->>2, v->>3, v->>4, (v->>5)::bigint, v->>6, (v->>7)::bigint,
      v->>8 from jsonb_array_elements(p_holds) v;
  update ledger_slice s set granted_micros = s.granted_micros - t.micros,
      available_micros = s.available_micros - t.micros
    from (select v->>1 as id, sum((v->>5)::bigint)::bigint as micros
      from jsonb_array_elements(p_holds) v group by 1) t
    where s.node_id = p_node and s.account_id = t.id;
  get diagnostics n = row_count;
  if n <> (select count(distinct v->>1) from jsonb_array_elements(p_holds) v) then
    raise exception 'task holds %', n using errcode = 'SL003';
  end if;
  update ledger_account a set lent_micros = a.lent_micros - t.micros,
      held_micros = a.held_micros + t.micros
    from (select v->>1 as id, sum((v->>5)::bigint)::bigint as micros
      from jsonb_array_elements(p_holds) v group by 1) t
    where a.account_id = t.id;
  update ledger_key k set held_micros = k.held_micros + t.micros,
      lent_micros = k.lent_micros - case when s.limited = 1 then t.micros else 0 end
    from (select v->>2 as id, sum((v->>5)::bigint)::bigint as micros
      from jsonb_array_elements(p_holds) v group by 1) t
      join ledger_key_slice s on s.node_id = p_node and s.key_id = t.id
    where k.key_id = t.id;
  update ledger_key_slice s set granted_micros = s.granted_micros - t.micros
    from (select v->>2 as id, sum((v->>5)::bigint)::bigint as micros
      from jsonb_array_elements(p_holds) v group by 1) t
    where s.node_id = p_node and s.key_id = t.id and s.limited = 1;
  if not exists (select from jsonb_array_elements(p_holds) v where v->>8 is not null) then return;
  end if;
  update cap c set held_micros = c.held_micros + t.micros,
      lent_micros = c.lent_micros - case when s.limited = 1 then t.micros else 0 end
    from ${heldUnderCaps} t join cap_slice s on s.node_id = p_node and s.cap_id = t.id
    where c.id = t.id;
  update cap_slice s set granted_micros = s.granted_micros - t.micros
    from ${heldUnderCaps} t
    where s.node_id = p_node and s.cap_id = t.id and s.limited = 1;
end $hold$`;

/**
 * The entry says what was charged. Up to the hold it comes out of that, and the rest of the hold is
 * the account's again; what goes past it comes out of the slice of the node that ends the task.
 */
export const endTasks = `
  (p_node text, p_entries jsonb) returns void language plpgsql as $end$
declare v jsonb; h hold; v_held bigint; v_past bigint; n bigint;
begin
  for v in select value from jsonb_array_elements(p_entries) loop
    delete from hold where id = v->>0 and kind = 'task' returning * into h;
    if not found then
      raise exception 'no hold of %', v->>0 using errcode = 'SL003';
    end if;
    v_held := least((v->>7)::bigint, h.micros);
    v_past := (v->>7)::bigint - v_held;
    update ledger_account set held_micros = held_micros - h.micros,
        spent_micros = spent_micros + v_held,
        available_micros = available_micros + h.micros - v_held
      where account_id = h.account_id;
    update ledger_key set held_micros = held_micros - h.micros, spent_micros = spent_micros + v_held
      where key_id = h.key_id;
    if h.caps is not null then
      update cap set held_micros = held_micros - h.micros, spent_micros = spent_micros + v_held
        where id = any (string_to_array(h.caps, ' '));
    end if;
    if v_past > 0 then
      update ledger_slice set available_micros = available_micros - v_past,
          spent_micros = spent_micros + v_past
        where node_id = p_node and account_id = h.account_id;
      get diagnostics n = row_count;
      update ledger_key_slice set spent_micros = spent_micros + v_past
        where node_id = p_node and key_id = h.key_id;
      if n <> 1 or not found then
        raise exception 'past the hold of %', v->>0 using errcode = 'SL003';
      end if;
      if h.caps is not null then
        update cap_slice set spent_micros = spent_micros + v_past
          where node_id = p_node and cap_id = any (string_to_array(h.caps, ' '));
        get diagnostics n = row_count;
        if n <> cardinality(string_to_array(h.caps, ' ')) then
          raise exception 'past the caps of %', v->>0 using errcode = 'SL003';
        end if;
      end if;
    end if;
  end loop;
  perform @enter(p_entries);
end $end$`;
