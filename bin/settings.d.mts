export const gatewaySettings: Readonly<Record<string, string>>;
