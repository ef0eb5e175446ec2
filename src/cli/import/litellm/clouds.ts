// Deployments on clouds: LiteLLM spreads a credential and a place over parameters of their own.
import type { ChannelInput } from "../../../config/entities.ts";
import type { VendorFields } from "../../../core/pass/vendor-fields.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { objectOf } from "../cells.ts";
import { bedrockModel, vertexModel } from "../cloud-models.ts";

export interface CloudDeployment {
  base: string;
  /** Empty where the file has none. */
  key: string;
  /** The cloud's name of the model. */
  target: string;
  settings: Pick<ChannelInput, "format" | "vendor">;
}

type Reader = (target: string, params: JsonObject) => CloudDeployment;

const readers: Readonly<Record<string, Reader>> = {
  azure: azureDeployment,
  bedrock: bedrockDeployment,
  vertex_ai: vertexDeployment,
};

/** Null where the vendor is no cloud. */
export function cloudDeployment(
  vendor: string,
  target: string,
  params: JsonObject,
): CloudDeployment | null {
  return readers[vendor]?.(target, params) ?? null;
}

function textIn(params: JsonObject, name: string): string {
  const value: Json | undefined = params[name];
  return typeof value === "string" ? value : "";
}

/** Fields of `vendor` that are there, by our names of them. */
function vendorOf(params: JsonObject, names: Readonly<Record<string, string>>): VendorFields {
  const fields = Object.entries(names).map(([own, theirs]) => [own, textIn(params, theirs)]);
  return Object.fromEntries(fields.filter(([, text]) => text !== ""));
}

function azureDeployment(target: string, params: JsonObject): CloudDeployment {
  const names = ["tenant_id", "client_id", "client_secret"];
  const parts = names.map((name) => [name, textIn(params, name)] as const);
  const isEntra = parts.every(([, text]) => text !== "");
  return {
    base: textIn(params, "api_base"),
    key: textIn(params, "api_key") || (isEntra ? JSON.stringify(Object.fromEntries(parts)) : ""),
    target,
    settings: { vendor: vendorOf(params, { api_version: "api_version" }) },
  };
}

const route = /^(converse|invoke|converse_like)\//;

function bedrockDeployment(named: string, params: JsonObject): CloudDeployment {
  const region = textIn(params, "aws_region_name");
  const { format, name } = bedrockModel(named.replace(route, ""), region);
  const pair = ["aws_access_key_id", "aws_secret_access_key", "aws_session_token"]
    .map((part) => textIn(params, part))
    .filter((text) => text !== "");
  const runtime = region === "" ? "" : `https://bedrock-runtime.${region}.amazonaws.com`;
  return {
    base: textIn(params, "aws_bedrock_runtime_endpoint") || runtime,
    key: textIn(params, "api_key") || (pair.length > 1 ? pair.join(":") : ""),
    target: name,
    settings: {
      format: named.startsWith("converse") ? "converse" : format,
      vendor: vendorOf(params, {
        region: "aws_region_name",
        role_arn: "aws_role_name",
        external_id: "aws_external_id",
      }),
    },
  };
}

/** A file's address is no credential: the account in it is pasted by hand. */
function vertexDeployment(named: string, params: JsonObject): CloudDeployment {
  const { vertex_credentials: account } = params;
  const text = isObject(account) ? JSON.stringify(account) : textIn(params, "vertex_credentials");
  const { format, name } = vertexModel(named);
  return {
    base: textIn(params, "api_base") || "https://aiplatform.googleapis.com",
    key: objectOf(text) === null ? textIn(params, "api_key") : text,
    target: name,
    settings: {
      format,
      vendor: vendorOf(params, { project: "vertex_project", location: "vertex_location" }),
    },
  };
}
