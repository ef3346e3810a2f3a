"""Operations: layouts in, layouts out, each with its law. No tables, claims or reports."""
