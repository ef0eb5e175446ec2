// The imgF models: the midjourney-proxy dialect, on routes of its own.
export { modelOf, parse, parseSimpleChange } from "./request.ts";
export { render, renderAccepted, type ImgFCode, type ImgFView } from "./render.ts";
