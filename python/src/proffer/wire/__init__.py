"""The wire protocol, as docs/PROTOCOL.md has it: types of fields, messages, and frames."""
