import { Part } from "./engine.ts";

/** The report files that bpos wrote, each by the hash of its bytes: what somebody changed since is not ours to replace. */
export class Reports extends Part {
  async isOurs(path: string, hash: string): Promise<boolean> {
    const text = "SELECT 1 FROM report_file WHERE path = ? AND hash = ?";
    return (await this.sql.get(text, path, hash)) !== undefined;
  }

  async add(path: string, hash: string): Promise<void> {
    await this.sql.run("INSERT INTO report_file VALUES (?, ?) ON CONFLICT DO NOTHING", path, hash);
  }

  /** Forgets what stood there; without `hash` all of it, else what is not that. */
  async forget(path: string, hash = ""): Promise<void> {
    await this.sql.run("DELETE FROM report_file WHERE path = ? AND hash <> ?", path, hash);
  }
}
