// What someone may do, from least to most.

export type Role = "user" | "admin" | "root";
