// The envelope of every answer of the control plane. Types only.

export interface Success<Data> {
  success: true;
  message: "";
  data: Data;
}

export interface Failure {
  success: false;
  message: string;
  code: string | null;
  /** The field that is wrong, where one is. */
  param: string | null;
}

export type ControlReply<Data> = Success<Data> | Failure;

export interface Listed<Item> {
  items: Item[];
  total: number;
  page: number;
  page_size: number;
}
