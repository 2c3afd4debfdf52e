-- In a transaction of its own: reading all pots takes a while, and only here under a lock that stops nobody.
ALTER TABLE wallet.pot VALIDATE CONSTRAINT settled_with_a_result;
