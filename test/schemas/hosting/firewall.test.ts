import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { AddIngressRule } from "../../../schemas/hosting/firewall.ts";

/** The form of an add-rule body (spec, control plane §4.11); what its texts mean is the normal form's business. */

const rule = { action: "allow", protocol: "tcp", description: "", destination_port: "80" };

test.each([
  ["every action", [{ action: "allow" }, { action: "reject" }, { action: "drop" }]],
  ["every protocol", [{ protocol: "tcp" }, { protocol: "udp" }, { protocol: "icmp4" }]],
  ["either state", [{ state: "enabled" }, { state: "disabled" }]],
  ["a description of 255 characters", [{ description: "d".repeat(255) }]],
  ["the longest network", [{ source: "255.255.255.255/32" }]],
  ["types and codes as text", [{ icmp_type: "8", icmp_code: "0" }]],
])("%s is taken", (_what, fields) => {
  for (const one of fields) expect(Value.Check(AddIngressRule, { ...rule, ...one })).toBe(true);
});

describe("refused is", () => {
  test.each([
    ["a missing action", { action: undefined }],
    ["a missing protocol", { protocol: undefined }],
    ["a missing description", { description: undefined }],
    ["another action", { action: "accept" }],
    ["icmp6", { protocol: "icmp6" }],
    ["a description of 256 characters", { description: "d".repeat(256) }],
    ["a port as a number", { destination_port: 80 }],
    ["an empty port", { destination_port: "" }],
    ["a type as a number", { icmp_type: 8 }],
    ["a type of four digits", { icmp_type: "1000" }],
    ["the destination of an ingress rule", { destination: "1.2.3.4" }],
    ["an id", { id: "0".repeat(24) }],
  ])("%s", (_what, fields) => {
    expect(Value.Check(AddIngressRule, { ...rule, ...fields })).toBe(false);
  });
});
