windrow_test_part(cluster cluster_ledger "every line of the ledger*")
windrow_test_part(cluster cluster_rings "nodes that hold some of the rows*")
windrow_test_part(cluster cluster_no_false_alarm "no false alarm:*")
windrow_test_part(cluster cluster_no_false_alarm_rings "no false alarm either*")
