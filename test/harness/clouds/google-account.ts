// The private half of the key whose public half the sandbox's Vertex knows: a service account that
// exists nowhere else.
import { accountEmail, accountKeyId } from "../../../sandbox/vertex/account.ts";

const body = [
  "MIIEuwIBADANBgkqhkiG9w0BAQEFAASCBKUwggShAgEAAoIBAQC6on+xrINXQDP1",
  "HRLpnI7esZLR0cl2hTgkOSBih7meAy3cXmOSICENbCk1DX9vWEEhzmJwe79hvNti",
  "pMN58wzn5HjFW7EMGRnEpIOWkiXcN28O6Ht0/ykhVQY2i3JEpkW3HWzBwF4OHhFK",
  "uVeebakrSFCGHtC+AZrWUMkSuNoRTUHTbc3a4wYLCYiTTfv1tHOC66PExeuU8w1f",
  "87E8cYi0s+Sfn7+96KuEKzi6jip3j6tvoqHDNAJAchkaJ5TmoWBXIJYTSGL9uRBy",
  "17WFgjTb8+KikMBqd25JXD5+bopoQaCPmPjePkO/RlGGKRK4HFNL305+Q4vcLAkv",
  "GkLCSD8FAgMBAAECgf8stLqOTlnz2Xdv4dmM3t5S2Gh8q8iexRTE15isLfZaKsdk",
  "/1/6Fpicm7TmeBNkz0POgN3LVOROPcrCeKDU5hpGpeIuHdD8US+6g+z2QStuMYs7",
  "XxZniwVzW6ivQSzPMIqasCLf4kRTzZ8V1RZN8j8SsL0IfYeQCu4yGGUVnX4DHySD",
  "dIDJWvh3MFlbxwEK3HKEH9B9e7sxCe9LEvPyGzdOFdHRWwjZxId84wf1LutqnRm6",
  "9VrTOSWkfPzK2ywWlvsorA+1L/j+YxZGkxPNqvTibGK9a241+umJ0FCI6slXO3LG",
  "Rh243OJkVAt5ynQIj5eYQKYgN9OXH+QLDbgcrnECgYEA+yZZ7kk4q3ZHLsSfi8Qs",
  "euHfKgK/R6Fkze8cvFZgcbOWx0ijjgHrneOVtbfJ8EhO25zKtYdMtJURejaA5EgL",
  "8u8y4mAnen3DF7uavORydatvgJoiZCI6axxpFPv+jgHwONpjDlOpITdjXyND16rM",
  "w77FfnCRS96E+6r+l39pkTECgYEAvj0xwLPR8B5i9NP6HD4iQ64qirRs5xrUKQeu",
  "MbJRJuSwx4dpaXz776fU4mvTfJunvvmD9/e5f6FA29p8zb3QNAZ4ZDO/EG58lbSF",
  "mPSXBLcbNNYx5y4JKYw0d9d5VpsWrQAL+dW1WLS1Tgxl1k7pZIUFjkfwvF3QLq6O",
  "QQIvNhUCgYBTNFF28CsmIvlSNTHmTAewbkRQ1rgoMwACecU7YCJziNvbCeWlll1I",
  "4a0nlswAHvSBLWC64yg2a2xu4L+y4WuUAEsLVG+/1QpdQnnxOn3xHerC4E2kfvJ7",
  "qd3mZdXfliTPsQpAJNdTedYiHrzLJnrQHtOvH/wC9qV3+x59cmi3AQKBgGEgdSph",
  "pKnnmbZOE8AfqPbNEUNH4uILPI7GMRWGaRBmais044jMGwS8t1/ylUNlZTuHwOz1",
  "OWwENE0LO/T/GDG3q/fcw4vsHQeB50O0fPYXVnifc1MImfzwbElTZcvl2qnxACxK",
  "BBCKEpcKlWPZXifIEpIWAL7rVsK+tDpUly4RAoGBAIl6uwD4vs4ruBOMi+t93PuS",
  "4uev8OjyxuzWVyakhG6Ziqh6scvcYeRGTzEzYBJHOijyDgXi94rv9eZVbvsVr8yr",
  "P8BPY+Nq04gJZGU3oNjZ1SNRFqPiQjMQ4XU+/tWUn8vBEtzMH71yJYHmID5ZfdEq",
  "+AVVfZ8OgAjR79Dsk6LT",
].join("\n");

const kind = "PRIVATE KEY";

export const privateKey = `-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----\n`;

/** The key file of the account, as the cloud's console hands it out. */
export function accountFile(sandboxUrl: string, change: object = {}): string {
  const file = {
    type: "service_account",
    project_id: "sandbox-project",
    private_key_id: accountKeyId,
    private_key: privateKey,
    client_email: accountEmail,
    token_uri: `${sandboxUrl}/vertex/token`,
    ...change,
  };
  return JSON.stringify(file, null, 2);
}
