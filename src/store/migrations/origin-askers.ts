// The person of an organisation that an answer was made for; the account itself where it is none of
// its people. Of earlier ones nobody wrote it down: it is known where one person alone has made all
// keys of the organisation.
import type { Migration } from "../migrate.ts";

export const originAskers: Migration = () => [
  "alter table origin add column asker_id text",
  `update origin set asker_id =
    (select min(maker_id) from api_key where api_key.account_id = origin.account_id)
    where account_id in
    (select account_id from api_key group by account_id
      having count(*) = count(maker_id) and count(distinct maker_id) = 1)`,
];
