// Settings as `GET /api/setting` and `POST /api/setting/reload` tell them.

export type Value = string | number | boolean | null | readonly Value[] | { [name: string]: Value };

export interface Setting {
  /** As in the file, such as `server.port`, or the name of a variable. */
  name: string;
  /** Without secrets. */
  value: Value;
  default: Value;
  source: "file" | "environment" | "default";
  /** The environment variable that wins over the file. */
  variable: string | null;
  description: string;
  /** Whether a reload changes it. */
  live: boolean;
  /** What a restart would make of it, where the file says otherwise by now. */
  pending: Value;
}

export interface Settings {
  file: string | null;
  loaded_at: number;
  items: Setting[];
}
