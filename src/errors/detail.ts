/** What stood in the way, where bpos itself knows its name. Words are made in `text/`. */
export type OwnDetail =
  /** No answer, or not all of one, within that time. */
  | { kind: "too_slow"; ms: number; complete: boolean }
  | { kind: "given_up" }
  | { kind: "answer_too_large"; maxBytes: number }
  | { kind: "encoding_unasked"; encoding: string }
  | { kind: "encoding_broken"; of: "answer" | "header_file"; encoding: string; detail: string }
  | { kind: "broke_off"; detail: Detail }
  /** `to` is null where the redirect names no address. */
  | { kind: "redirect"; to: string | null }
  | { kind: "answer_empty" }
  | { kind: "answer_html" }
  | { kind: "answer_cut_off" }
  | { kind: "answer_not_json" }
  | { kind: "answer_no_problem" }
  | { kind: "answer_too_deep"; maxDepth: number }
  /** `path` is empty where the whole answer is something else; `type` as JSON calls it. */
  | { kind: "answer_lacks"; path: string; type: string }
  | { kind: "not_a_mock" }
  /** `proxy` is its address without user name and password, `variable` what names it. */
  | { kind: "proxy_answered"; proxy: string; variable: string; status: number; said: string }
  | { kind: "proxy_unreached"; proxy: string; variable: string; detail: Detail }
  | { kind: "not_json" }
  | { kind: "empty" }
  /** A key stands where the name of a file belongs. */
  | { kind: "key_as_file" }
  | { kind: "key_not_for_header"; at: number; length: number }
  /** isCut: it was not read to its end. */
  | { kind: "key_too_long"; length: number; max: number; isCut?: true }
  | { kind: "key_lines"; lines: number }
  | { kind: "secret_form"; min: number; max: number }
  /** What must stand there, a value, the end of the file or one of these signs, and what does; null is the end of the file. */
  | { kind: "json_unexpected"; expected: "value" | "end" | readonly string[]; found: string | null }
  | { kind: "json_list_twice"; listKey: string }
  | { kind: "is_folder" }
  /** A FIFO, a device or a stream. */
  | { kind: "not_regular" }
  | { kind: "folder_missing" }
  | { kind: "not_allowed" }
  | { kind: "file_missing" }
  | { kind: "not_readable" }
  /** What stands in a file of ours under that path is not of that type; `type` as JSON calls it. */
  | { kind: "wrong_type"; path: string; type: string }
  | { kind: "journal_newer" };

/** Why something failed: in the words of the system, the parser or the service as they came, or one of our own reasons. */
export type Detail = string | OwnDetail;
