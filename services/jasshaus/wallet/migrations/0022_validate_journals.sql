ALTER TABLE wallet.journal VALIDATE CONSTRAINT pot_or_cashier;
