using System.Diagnostics;

namespace Tarn.Tests.Diagnostics;

public class RentRecordTests
{
    [Fact]
    public void Of_threads_that_race_to_return_one_wins_and_the_others_see_its_stack()
    {
        StackTrace stack = new();
        for (int round = 0; round < 20; round++)
        {
            RentRecord[] records = [.. Enumerable.Range(0, 20_000).Select(_ => new RentRecord("race", 1, stack, reportsLeak: false))];
            int wins = 0;
            int unseen = 0;
            using Barrier together = new(2);
            void ReturnAll()
            {
                together.SignalAndWait();
                foreach (RentRecord record in records)
                {
                    if (record.TryReturn(stack))
                    {
                        Interlocked.Increment(ref wins);
                    }
                    else if (record.ReturnedAt is null)
                    {
                        Interlocked.Increment(ref unseen);
                    }
                }
            }

            Thread other = new(ReturnAll);
            other.Start();
            ReturnAll();
            other.Join();

            Assert.Equal((records.Length, 0), (wins, unseen));
        }
    }
}
