// Roles, from the least rights to the most.

export type Role = "user" | "admin" | "root";
