/** Why a POST of a reply is refused. Words for the person who listens are made in `text/`; its sender gets others. */
export type ReplyRefusal =
  | "not_post"
  | "foreign_host"
  | "foreign_origin"
  | "wrong_secret"
  | "busy"
  | "not_json_type"
  | "compressed"
  | "too_large"
  | "not_json"
  | "too_deep"
  | "came_back"
  | "not_kept"
  | "not_a_request"
  | "defect";
