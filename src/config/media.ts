// Settings of where results are kept and how media is fetched.
import { Type } from "../core/schema.ts";
import { baseUrl, withoutSlashes } from "./fields.ts";
import {
  camelKeys,
  convertedSection,
  each,
  live,
  mebibyte,
  milliseconds,
  nextStart,
  orVariable,
  wholeSetting,
} from "./setting.ts";

const s3Text = (description: string) => Type.String({ minLength: 1, maxLength: 1024, description });

export const mediaSection = convertedSection(
  "Where results are kept and how media is fetched.",
  {
    storage: Type.Enum(["folder", "s3"], {
      default: "folder",
      description: "Where results are kept: in the data folder, or in an S3-compatible store.",
    }),
    s3: Type.Optional(
      Type.Object(
        {
          endpoint: baseUrl("Address of the store."),
          region: Type.Optional(s3Text("Region of the bucket. Default: auto.")),
          bucket: s3Text("Name of the bucket."),
          prefix: Type.Optional(s3Text("Text before every name, such as sluice/. Default: none.")),
          access_key_id: s3Text("Id of the access key."),
          secret_access_key: s3Text("Secret of the access key."),
        },
        { additionalProperties: false, description: "The store, when storage is s3." },
      ),
    ),
    shared_folder: orVariable(
      "SLUICE_MEDIA_FOLDER",
      Type.Optional(
        s3Text("Folder for results that every node has mounted; with database_url this or s3."),
      ),
    ),
    public_url: Type.Optional(baseUrl("Address in links to results. Default: server.public_url.")),
    ...each(live, {
      retention_days: wholeSetting("Days a result is kept.", { default: 30, maximum: 36_500 }),
      bytes_max: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: "All results together; past it the oldest go. Default: no limit.",
        }),
      ),
    }),
    ...each(nextStart, {
      url_ttl_minutes: wholeSetting("How long a link to a result lives at least.", {
        default: 1440,
        maximum: 525_600,
      }),
      file_bytes_max: wholeSetting("Largest result that is kept.", {
        default: 2048 * mebibyte,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
      fetch_timeout_ms: milliseconds("Longest download of one file.", 300_000),
    }),
    allowed_ports: Type.Array(Type.Integer({ minimum: 1, maximum: 65_535 }), {
      uniqueItems: true,
      default: [],
      description: "Ports besides 80 and 443 that the URLs of users may name.",
    }),
    private_hosts: Type.Array(Type.String({ minLength: 1, maxLength: 260 }), {
      uniqueItems: true,
      default: [],
      description: "Hosts on networks of your own, with their port, that URLs may lead to.",
    }),
  },
  ({ storage, s3, urlTtlMinutes, ...media }) => ({
    ...media,
    /** Null keeps results in the data folder. */
    s3: storage === "s3" && s3 ? { region: "auto", prefix: "", ...camelKeys(s3) } : null,
    sharedFolder: media.sharedFolder ?? null,
    publicUrl: withoutSlashes(media.publicUrl),
    linkTtlSeconds: urlTtlMinutes * 60,
    bytesMax: media.bytesMax ?? null,
  }),
);
