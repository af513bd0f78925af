using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn.Tests.Diagnostics;

/// <summary>Code that does nothing wrong sees no difference and raises no alarm.</summary>
public class CheckedUseTests
{
    [Theory]
    [InlineData(11)]
    [InlineData(12)]
    [InlineData(13)]
    public void Long_random_correct_use_raises_no_alarm(int seed)
    {
        using CheckedPool<int> tested = new(BufferChecks.All, new BufferPoolOptions { MaxRetainedBytes = 200_000 });
        Random random = new(seed);
        List<(int[] Buffer, int Mark)> held = [];
        for (int step = 0; step < 6000; step++)
        {
            switch (random.Next(held.Count > 60 ? 4 : 10))
            {
                case 0 when step % 50 == 0:
                    tested.Pool.Trim();
                    break;
                case < 4 when held.Count > 0:
                    int at = random.Next(held.Count);
                    (int[] buffer, int mark) = held[at];
                    Assert.True(buffer.AsSpan().IndexOfAnyExcept(mark) < 0, $"Someone else wrote to a rented buffer; seed {seed}.");
                    held.RemoveAt(at);
                    tested.Pool.Return(buffer, clearArray: random.Next(5) == 0);
                    break;
                case < 6:
                    using (BufferLease<int> lease = tested.Pool.Lease(random.Next(1, 500)))
                    {
                        lease.Span.Fill(-1);
                    }

                    break;
                default:
                    int length = random.Next(1, 300);
                    int[] rented = random.Next(4) == 0 ? tested.Pool.RentExact(length) : tested.Pool.Rent(length);
                    rented.AsSpan().Fill(step);
                    held.Add((rented, step));
                    break;
            }
        }

        tested.Incidents.AssertNone();
        BufferPoolStatistics statistics = tested.Pool.GetStatistics();
        Assert.Equal(held.Count, statistics.Rented - statistics.Returned);
        Assert.Equal(held.Sum(one => one.Buffer.Length * (long)sizeof(int)), statistics.InUseBytes);
    }

    [Fact]
    public void Many_threads_that_hand_buffers_over_raise_no_alarm()
    {
        using CheckedPool<long> tested = new(BufferChecks.All);
        Parallel.For(0, 4, thread =>
        {
            for (int i = 0; i < 1000; i++)
            {
                long[] buffer = tested.Pool.Rent(1 + (i % 40));
                buffer.AsSpan().Fill(thread);
                Assert.True(buffer.AsSpan().IndexOfAnyExcept(thread) < 0);
                if (i % 10 == 0)
                {
                    Task.Run(() => tested.Pool.Return(buffer)).Wait();
                }
                else
                {
                    tested.Pool.Return(buffer);
                }
            }
        });

        tested.Incidents.AssertNone();
        Assert.Equal(4000, tested.Pool.GetStatistics().Returned);
    }

    [Fact]
    public void A_rented_bool_is_always_true_or_false() => AssertNoImpossiblePattern<bool>(1);

    [Fact]
    public void A_rented_decimal_is_never_an_impossible_one() => AssertNoImpossiblePattern<decimal>(16);

    [Fact]
    public void A_rented_date_is_never_an_impossible_one() => AssertNoImpossiblePattern<DateTime>(8);

    [Fact]
    public void A_rented_struct_that_holds_a_bool_is_never_impossible() => AssertNoImpossiblePattern<Big>(Unsafe.SizeOf<Big>());

    [Fact]
    public void Rented_structs_that_hold_references_are_empty()
    {
        using CheckedPool<(string? Name, long Number)> tested = new(BufferChecks.All);
        for (int i = 0; i < 100; i++)
        {
            (string? Name, long Number)[] buffer = tested.Pool.Rent(7);
            Assert.All(buffer, element => Assert.Equal((null, 0), element));
            buffer.AsSpan().Fill(("used", i));
            tested.Pool.Return(buffer);
        }

        tested.Incidents.AssertNone();
    }

    [Theory]
    [InlineData(BufferChecks.Returns)]
    [InlineData(BufferChecks.UseAfterReturn)]
    [InlineData(BufferChecks.SampledLeaks)]
    [InlineData(BufferChecks.Leaks)]
    [InlineData(BufferChecks.All)]
    public void Everything_a_pool_hands_out_works_with_each_check(BufferChecks checks)
    {
        using CheckedPool<byte> tested = new(checks);
        BufferPool<byte> pool = tested.Pool;
        Span<byte> stack = stackalloc byte[10];
        for (int i = 0; i < 40; i++)
        {
            using (BufferLease<byte> lease = pool.Lease(100))
            {
                lease.Span.Fill(1);
            }

            using IMemoryOwner<byte> owner = pool.LeaseMemory(300);
            owner.Memory.Span.Fill(2);
            IMemoryOwner<byte> block = pool.AsMemoryPool().Rent(500);
            using (MemoryHandle handle = block.Memory.Pin())
            {
                block.Dispose();
            }

            using ScratchBuffer<byte> scratch = new(stack, 200, pool);
            scratch.Span.Fill(3);
            byte[] exact = pool.RentExact(1234);
            Assert.Equal(1234, exact.Length);
            pool.Return(exact, usedLength: 10);
        }

        tested.Incidents.AssertNone();
        Assert.Equal((0, pool.GetStatistics().Rented), (pool.GetStatistics().InUseBytes, pool.GetStatistics().Returned));
    }

    [Fact]
    public void A_buffer_returned_for_clearing_never_reappears_with_its_old_contents()
    {
        using CheckedPool<byte> tested = new(BufferChecks.Returns | BufferChecks.Leaks);
        byte[] secret = tested.Pool.Rent(100);
        secret.AsSpan().Fill(9);
        tested.Pool.Return(secret, clearArray: true);

        Assert.DoesNotContain(secret, element => element == 9);
    }

    private static void AssertNoImpossiblePattern<T>(int size)
        where T : unmanaged
    {
        using CheckedPool<T> tested = new(BufferChecks.All);
        byte[] zeros = new byte[size];
        bool reused = false;
        HashSet<T[]> seen = [];
        for (int i = 0; i < 100; i++)
        {
            T[] buffer = tested.Pool.Rent(9);
            reused |= !seen.Add(buffer);
            foreach (ref T element in buffer.AsSpan())
            {
                Assert.True(MemoryMarshal.AsBytes(new Span<T>(ref element)).SequenceEqual(zeros));
            }

            tested.Pool.Return(buffer);
        }

        Assert.True(reused);
        tested.Incidents.AssertNone();
    }

    [StructLayout(LayoutKind.Sequential, Size = 256)]
    private struct Big
    {
        public bool Flag;
    }
}
