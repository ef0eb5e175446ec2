// Roles that people have in organisations. Nothing else stands here: the console reads it, too.

export type SeatRole = "owner" | "admin" | "member" | "viewer";
