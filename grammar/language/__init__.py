"""The words of the language: its values, functions, operators and the kinds that they take. No syntax tree."""
