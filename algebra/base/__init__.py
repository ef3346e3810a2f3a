"""What every algorithm stands on: records, errors and remarks, questions about numbers, derivations. No layouts."""
