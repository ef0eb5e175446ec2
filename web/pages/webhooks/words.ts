// Words of the page of webhooks.
import { pageWords } from "../../kit/page-words.ts";

export const t = pageWords("webhooks", "page", {
  delivery: "Delivery",
  next: "Next attempt",
  took: "Duration",
  noAnswer: "No answer",
  delivered: "Delivered",
  givenUp: "Failed",
  due: "Pending",
  triedAgain: "Retrying",
  body: "Body",
  replay: "Resend",
  wasReplayed: "Resending",
  test: "Send a test",
  testTitle: "Send a test",
  secret: "Signing secret",
  secretText: "Every callback is signed with this secret. Anyone who has it can forge callbacks.",
  show: "Show secret",
  overlaps: "For one day, callbacks also carry the previous secret's signature.",
  rotate: "New secret",
  rotateTitle: "Generate a new secret?",
  rotateEffect:
    "Callbacks use the new secret immediately. For one day they also carry the previous " +
    "signature; update your receiver in that time.",
  wasRotated: "Callbacks now use the new secret",
  empty: "No callbacks yet",
  emptyText: "Set webhook_url on a video or image request to be notified when it ends.",
  hints: {
    url: "Signed with your secret and sent once.",
  },
});
