// Paths of one's own second factors.

export const factorPath = "/api/user/self/second-factor";
