// The service account that the sandbox knows, by the public half of its key. Its private half is
// with the tests, and opens nothing else.
export const accountEmail = "sluice@sandbox-project.iam.gserviceaccount.com";
export const accountKeyId = "sandbox-key-1";

export const accountKey = [
  "-----BEGIN PUBLIC KEY-----",
  "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAuqJ/sayDV0Az9R0S6ZyO",
  "3rGS0dHJdoU4JDkgYoe5ngMt3F5jkiAhDWwpNQ1/b1hBIc5icHu/YbzbYqTDefMM",
  "5+R4xVuxDBkZxKSDlpIl3DdvDuh7dP8pIVUGNotyRKZFtx1swcBeDh4RSrlXnm2p",
  "K0hQhh7QvgGa1lDJErjaEU1B023N2uMGCwmIk0379bRzguujxMXrlPMNX/OxPHGI",
  "tLPkn5+/veirhCs4uo4qd4+rb6KhwzQCQHIZGieU5qFgVyCWE0hi/bkQcte1hYI0",
  "2/PiopDAanduSVw+fm6KaEGgj5j43j5Dv0ZRhikSuBxTS99OfkOL3CwJLxpCwkg/",
  "BQIDAQAB",
  "-----END PUBLIC KEY-----",
].join("\n");
