// Databases as new-api and one-api make them: the tables and columns that their own migrations
// write into SQLite, with invented people, keys and channels.
import { Database } from "bun:sqlite";

/** Tables of new-api's migration (August 2026), less the columns that an import never looks at. */
const newApiTables = [
  `create table users (id integer primary key autoincrement, username text unique,
    password text not null, display_name text, role integer default 1, status integer default 1,
    email text, github_id text, discord_id text, oidc_id text, wechat_id text, telegram_id text,
    access_token char(32), quota integer default 0, used_quota integer default 0,
    request_count integer default 0, "group" varchar(64) default 'default', aff_code varchar(32),
    aff_count integer default 0, aff_quota integer default 0, aff_history integer default 0,
    inviter_id integer, deleted_at datetime, linux_do_id text, setting text, remark varchar(255),
    stripe_customer varchar(64), created_at integer, last_login_at integer)`,
  `create table tokens (id integer primary key autoincrement, user_id integer, key char(48) unique,
    status integer default 1, name text, created_time integer, accessed_time integer,
    expired_time integer default -1, remain_quota integer default 0, unlimited_quota numeric,
    model_limits_enabled numeric, model_limits text, allow_ips text default '',
    used_quota integer default 0, "group" text default '', cross_group_retry numeric,
    deleted_at datetime)`,
  `create table channels (id integer primary key autoincrement, type integer default 0,
    key text not null, open_ai_organization text, test_model text, status integer default 1,
    name text, weight integer default 0, created_time integer, test_time integer,
    response_time integer, base_url text default '', other text, balance real, models text,
    "group" varchar(64) default 'default', used_quota integer default 0, model_mapping text,
    status_code_mapping varchar(1024) default '', priority integer default 0, auto_ban integer,
    other_info text, tag text, setting text, param_override text, header_override text,
    remark varchar(255), channel_info json, settings text)`,
  "create table options (key text primary key, value text)",
  `create table redemptions (id integer primary key autoincrement, user_id integer,
    key char(32) unique, status integer default 1, name text, quota integer default 100,
    created_time integer, redeemed_time integer, used_user_id integer, deleted_at datetime,
    expired_time integer)`,
  `create table logs (id integer primary key autoincrement, user_id integer, created_at integer,
    type integer, content text, username text, token_name text, model_name text,
    quota integer default 0, prompt_tokens integer, completion_tokens integer, use_time integer,
    is_stream numeric, channel_id integer, token_id integer, "group" text, ip text, other text)`,
  `create table two_fas (id integer primary key autoincrement, user_id integer unique,
    secret varchar(255), is_enabled numeric, deleted_at datetime)`,
  `create table custom_oauth_providers (id integer primary key autoincrement, name varchar(64),
    slug varchar(64) unique, enabled numeric, client_id text, client_secret text,
    well_known text, user_id_field varchar(128) default 'sub')`,
  `create table user_oauth_bindings (id integer primary key autoincrement, user_id integer,
    provider_id integer, provider_user_id varchar(256))`,
  "create table setups (id integer primary key, version text, initialized_at integer)",
];

/** Tables of its last version. */
const oneApiTables = [
  `create table users (id integer primary key autoincrement, username text unique,
    password text not null, display_name text, role integer default 1, status integer default 1,
    email text, github_id text, wechat_id text, lark_id text, oidc_id text, access_token char(32),
    quota bigint default 0, used_quota bigint default 0, request_count integer default 0,
    "group" varchar(32) default 'default', aff_code varchar(32), inviter_id integer)`,
  `create table tokens (id integer primary key autoincrement, user_id integer, key char(48) unique,
    status integer default 1, name text, created_time bigint, accessed_time bigint,
    expired_time bigint default -1, remain_quota bigint default 0,
    unlimited_quota numeric default false, used_quota bigint default 0, models text,
    subnet text default '')`,
  `create table channels (id integer primary key autoincrement, type integer default 0, key text,
    status integer default 1, name text, weight integer default 0, created_time bigint,
    test_time bigint, response_time integer, base_url text default '', other text, balance real,
    balance_updated_time bigint, models text, "group" varchar(32) default 'default',
    used_quota bigint default 0, model_mapping varchar(1024) default '', priority bigint default 0,
    config text, system_prompt text)`,
  "create table options (key text primary key, value text)",
  `create table redemptions (id integer primary key autoincrement, user_id integer,
    key char(32) unique, status integer default 1, name text, quota bigint default 100,
    created_time bigint, redeemed_time bigint)`,
  `create table logs (id integer primary key autoincrement, user_id integer, created_at bigint,
    type integer, content text, username text, token_name text, model_name text, quota integer,
    prompt_tokens integer, completion_tokens integer, channel_id integer, elapsed_time bigint)`,
];

type Cell = string | number | bigint | null;

export class LineageDatabase implements Disposable {
  readonly #database: Database;

  constructor(path: string, program: "new-api" | "one-api") {
    this.#database = new Database(path);
    for (const table of program === "new-api" ? newApiTables : oneApiTables) {
      this.#database.run(table);
    }
  }

  add(table: string, row: Readonly<Record<string, Cell>>): void {
    const names = Object.keys(row).map((name) => `"${name}"`);
    const marks = names.map(() => "?").join(", ");
    const text = `insert into ${table} (${names.join(", ")}) values (${marks})`;
    this.#database.query(text).run(...Object.values(row));
  }

  option(key: string, value: object | string): void {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    this.add("options", { key, value: text });
  }

  /** Everything or nothing, and much faster. */
  together(work: () => void): void {
    this.#database.transaction(work)();
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

/** A text as new-api makes them for keys: so many letters and digits, the same for a number. */
export function keyOf(number: number): string {
  const letters = Bun.SHA512.hash(`key ${number}`, "base64");
  return letters.replace(/[^0-9A-Za-z]/g, "x").slice(0, 48);
}
