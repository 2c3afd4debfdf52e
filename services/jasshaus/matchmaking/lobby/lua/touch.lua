-- The row changed, the entry did not.
publish()
return {'TOUCHED'}
