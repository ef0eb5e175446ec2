// Where one's own second factors are.

export const factorPath = "/api/user/self/second-factor";
