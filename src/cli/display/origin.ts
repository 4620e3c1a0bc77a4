import type { Origin } from "../../errors/findings.ts";
import type { T } from "../../texts/texts.ts";

/** Says where a setting comes from. */
export function originWords({ kind, name }: Origin, t: T): string {
  switch (kind) {
    case "flag":
      return t("flag {name}", { name });
    case "environment":
      return t("environment {name}", { name });
    case "profile":
      return t("profile {name}", { name });
    case "config":
      return t(name === "journal" ? "the profile file" : "the default profile");
    case "default":
      return t("default // where a setting comes from");
  }
}
