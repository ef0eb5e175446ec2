// Subjects with a limit, which are keys and caps: parts of statements that lend, take back and
// recall them. A subject without a limit is counted and never lent.

interface Limited {
  rows: string;
  rowId: string;
  slices: string;
  sliceId: string;
  /** The limit of a row; null where it has none. */
  limit: string;
}

export const keys: Limited = {
  rows: "ledger_key",
  rowId: "key_id",
  slices: "ledger_key_slice",
  sliceId: "key_id",
  limit: "k.limit_micros",
};

export const caps: Limited = {
  rows: "cap",
  rowId: "id",
  slices: "cap_slice",
  sliceId: "cap_id",
  limit: "(case when k.mode = 'hard' then k.limit_micros end)",
};

/** Moment of a node's last turn; null of one that an older program started. */
export const turnedAt = "(n.lease_until - n.ttl_ms * interval '1 ms')";
export const unheardMs = `cast(ceil(coalesce(
  extract(epoch from max(clock_timestamp() - ${turnedAt})) * 1000, 0)) as bigint)`;

export const giveLimitedBack = ({ rows, rowId, slices, sliceId }: Limited, list: string) => `
  if p_doc ? '${list}' then
    update ${rows} k set spent_micros = k.spent_micros + s.spent_micros,
        lent_micros = k.lent_micros
          - case when s.limited = 1 then (v->>1)::bigint + s.spent_micros else 0 end
      from jsonb_array_elements(p_doc->'${list}') v
        join ${slices} s on s.node_id = p_node and s.${sliceId} = v->>0
      where k.${rowId} = v->>0;
    update ${slices} s set spent_micros = 0, returned_at = clock_timestamp(),
        granted_micros = s.granted_micros
          - case when s.limited = 1 then (v->>1)::bigint + s.spent_micros else 0 end
      from jsonb_array_elements(p_doc->'${list}') v
      where s.node_id = p_node and s.${sliceId} = v->>0;
  end if;`;

export const lendLimited = (
  { rows, rowId, slices, sliceId, limit }: Limited,
  list: string,
) => `with give as (
      select k.${rowId} as id, ${limit} as limit_micros, case when ${limit} is null then 0 else
          greatest(0, least(f.free, greatest((v->>1)::bigint, least((v->>2)::bigint,
            f.free / case when exists (select from ${slices} o
              where o.${sliceId} = k.${rowId} and o.node_id <> p_node and o.granted_micros > 0)
              then 4 * v_nodes else 2 end)))) end as micros
        from jsonb_array_elements(p_doc->'${list}') v join ${rows} k on k.${rowId} = v->>0
          cross join lateral (select ${limit} - k.spent_micros - k.held_micros
            - k.lent_micros as free) f),
    taken as (
      update ${rows} k set lent_micros = k.lent_micros + g.micros
        from give g where k.${rowId} = g.id and g.micros > 0)
    insert into ${slices} as s (node_id, ${sliceId}, limited, granted_micros, lent_ever_micros)
      select p_node, id, (limit_micros is not null)::int, micros, micros from give
      on conflict (node_id, ${sliceId}) do update set
        granted_micros = s.granted_micros + excluded.granted_micros,
        lent_ever_micros = s.lent_ever_micros + excluded.lent_ever_micros,
        returned_at = case when excluded.granted_micros > 0 then null else s.returned_at end;`;

export const shortLimited = (
  { rows, rowId, slices, sliceId, limit }: Limited,
  list: string,
) => `select k.${rowId}, (v->>4)::bigint, x.free, x.turned_at
      from jsonb_array_elements(p_doc->'${list}') v join ${rows} k on k.${rowId} = v->>0
        cross join lateral (select max(s.granted_micros - s.held_micros - s.spent_micros) as free,
          min(${turnedAt}) as turned_at
          from ${slices} s join node n on n.id = s.node_id where s.${sliceId} = k.${rowId}
            and s.node_id <> p_node and s.granted_micros > s.spent_micros) x
      where ${limit} <= k.spent_micros + k.held_micros + k.lent_micros
        and (v->>1)::bigint > 0`;

/** Cells of a slice `s` that was asked for by `v`. */
export const limitedLent = ({ slices, sliceId }: Limited) => `
        s.${sliceId}, s.limited, s.lent_ever_micros,
        case when s.limited = 0 or (v->>1)::bigint = 0 then 0 else (
          select coalesce(sum(o.granted_micros - o.held_micros - o.spent_micros), 0)
            from ${slices} o left join recall r on r.subject = o.${sliceId}
          where o.${sliceId} = s.${sliceId} and o.node_id <> p_node and o.limited = 1
            and o.granted_micros > o.held_micros + o.spent_micros
            and coalesce(o.returned_at, '-infinity') < coalesce(r.at, 'infinity')) end,
        case when s.limited = 0 or (v->>1)::bigint = 0 then 0 else (
          select ${unheardMs} from ${slices} o join node n on n.id = o.node_id
          where o.${sliceId} = s.${sliceId} and o.node_id <> p_node and o.limited = 1
            and o.granted_micros > o.spent_micros) end`;

/** Each row is looked up by itself, as those of accounts are. */
export const moveLimited = ({ slices, sliceId }: Limited, list: string) => `
  if p_doc ? '${list}' then
    update ${slices} s set held_micros = s.held_micros + (a.v->>1)::bigint,
        spent_micros = s.spent_micros + (a.v->>2)::bigint
      from (select x.tid, v from jsonb_array_elements(p_doc->'${list}') v cross join lateral
        (select ctid as tid from ${slices} where node_id = p_node and ${sliceId} = v->>0
          offset 0) x) a
      where s.ctid = a.tid;
    get diagnostics n = row_count;
    if n <> jsonb_array_length(p_doc->'${list}') then
      raise exception '${list} %', n using errcode = 'SL003';
    end if;
  end if;`;
