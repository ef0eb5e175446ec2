// The table of roles made of permissions.

export interface RoleTable {
  name: string;
  description: string;
  /** JSON of a list of names. */
  permissions: string;
  created_at_ms: number;
}
