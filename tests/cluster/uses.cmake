windrow_test_part(cluster cluster_ledger "every line of the ledger*")
windrow_test_part(cluster cluster_no_false_alarm "no false alarm*")
