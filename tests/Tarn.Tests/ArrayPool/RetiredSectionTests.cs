using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>A finalizer may be in the middle of a call when its pool retires: it waits for the lock of the section that it found.</summary>
public sealed class RetiredSectionTests
{
    private const int Length = 1000;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_call_that_waits_while_the_pool_retires_completes(bool rents)
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
        using Worker worker = new();
        byte[][] rented = worker.Run(() =>
        {
            for (int i = 0; i < 10; i++)
            {
                pool.Return(pool.Rent(Length));
            }

            return Enumerable.Range(0, 40).Select(_ => pool.Rent(Length)).ToArray();
        });
        CacheSection section = Assert.Single(pool.Core.GetSections());
        Exception? thrown = null;
        Thread caller;
        using (section.Sync.Hold())
        {
            caller = new Thread(() => thrown = Record.Exception(() => worker.Run(() =>
            {
                foreach (byte[] array in rented)
                {
                    if (rents)
                    {
                        Assert.Equal(pool.Core.LengthOf(pool.Core.IndexOf(Length)), pool.Rent(Length).Length);
                    }
                    else
                    {
                        pool.Return(array);
                    }
                }
            })));
            caller.Start();
            Thread.Sleep(50);
            section.Leave();
        }

        caller.Join();
        Assert.Null(thrown);
    }
}
