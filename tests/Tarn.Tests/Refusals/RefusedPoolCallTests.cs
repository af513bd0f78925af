using System.Buffers;
using Tarn.Tests.Support;

namespace Tarn.Tests.Refusals;

/// <summary>A call of a pool with a budget that throws has changed nothing, and every honest call after it is accepted.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class RefusedPoolCallTests
{
    private const int Length = 1000;

    public static TheoryData<Company> Companies => Company.All;

    [Theory]
    [MemberData(nameof(Companies))]
    public void Every_refused_call_changes_nothing(Company company)
    {
        using RefusedCalls calls = new(company);
        BufferPool<byte> pool = Create(company, calls.Tenant);
        byte[][] kept = [.. Enumerable.Range(0, 10).Select(_ => pool.Rent(Length))];
        Array.ForEach(kept, array => pool.Return(array));
        byte[] first = pool.Rent(Length);
        byte[] second = pool.Rent(Length);
        byte[] exact = pool.RentExact(Length + 1);
        byte[] exactToo = pool.RentExact(Length + 1);
        pool.Return(second);
        pool.Return(exactToo);
        calls.Watch(pool, () => $"{pool.GetStatistics()}");

        calls.Refuse("a second return", () => pool.Return(second));
        calls.Refuse("a second return that clears", () => pool.Return(second, clearArray: true));
        calls.Refuse("a second return of an exact length", () => pool.Return(exactToo));
        calls.Refuse("a second return of an exact length that clears", () => pool.Return(exactToo, clearArray: true));
        calls.Refuse("no array", () => pool.Return(null!));
        calls.Refuse("a length from elsewhere", () => pool.Return(new byte[first.Length - 1]));
        calls.Refuse("a length from elsewhere that clears", () => pool.Return(new byte[first.Length - 1], clearArray: true));
        calls.Refuse("another type", () => pool.Return((byte[])(object)new sbyte[first.Length]));
        calls.Refuse("a negative length", () => pool.Rent(-1));
        calls.Refuse("a negative exact length", () => pool.RentExact(-1));
        calls.Refuse("a negative lease", () => pool.Lease(-1).Dispose());
        calls.Refuse("a negative owner", () => pool.LeaseMemory(-1).Dispose());
        calls.Refuse("more than the budget", () => pool.Rent(9 << 20));
        calls.Refuse("more than the budget, exactly", () => pool.RentExact(9 << 20));
        calls.Refuse("a lease of more than the budget", () => pool.Lease(9 << 20).Dispose());
        calls.Refuse("an owner of more than the budget", () => pool.LeaseMemory(9 << 20).Dispose());
        calls.Refuse("an owner of the memory pool", () => pool.AsMemoryPool().Rent(9 << 20).Dispose());
        calls.Refuse("shared memory", () => CountedBuffer<byte>.Rent(pool, 9 << 20).Dispose());
        calls.Refuse("a stream of more than the budget", () => Write(pool, 9 << 20));
        calls.Refuse("a writer of more than the budget", () => Reserve(pool, 9 << 20));

        pool.Return(first);
        pool.Return(exact);
        Assert.Equal((0, 0, 0), (calls.Tenant.InUse, calls.All.InUse, pool.GetStatistics().InUseBytes));
        pool.Core.Validate();
    }

    /// <summary>The runtime has no such array, so it says that there is no memory, after the budget has given the bytes.</summary>
    [Theory]
    [MemberData(nameof(Companies))]
    public void An_allocation_that_fails_gives_its_bytes_back(Company company)
    {
        using RefusedCalls calls = new(company);
        BufferBudget large = new(1L << 40);
        BufferPool<byte> pool = Create(company, large);
        byte[] array = pool.Rent(Length);
        calls.Watch(pool, () => $"{pool.GetStatistics()}, {large.InUse} in use");
        calls.Refuse("an array that there is not", () => pool.Rent(int.MaxValue));
        calls.Refuse("an exact array that there is not", () => pool.RentExact(int.MaxValue));
        calls.Refuse("an owner of such an array", () => pool.LeaseMemory(int.MaxValue).Dispose());
        pool.Return(array);
        Assert.Equal(0, large.InUse);
        pool.Core.Validate();
    }

    /// <summary>Without checks, such a return is accepted; it takes no bytes from others, and no honest return fails for it.</summary>
    [Theory]
    [InlineData(BufferClearing.OnRequest)]
    [InlineData(BufferClearing.OnReturn)]
    public void What_a_pool_cannot_refuse_costs_no_other_owner_anything(BufferClearing clearing)
    {
        BufferBudget all = new(1 << 20);
        BufferBudget tenant = all.CreateChild(1 << 19);
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions
        {
            Budget = tenant,
            Checks = BufferChecks.None,
            Clearing = clearing,
        });
        tenant.Take(500);
        all.Take(700);
        byte[] array = pool.Rent(Length);
        pool.Return(new byte[array.Length]);
        pool.Return(new byte[array.Length]);
        Assert.Equal((500, 1200), (tenant.InUse, all.InUse));
        pool.Return(array);
        Assert.Equal((500, 1200), (tenant.InUse, all.InUse));

        // The program itself returns what it never took.
        array = pool.Rent(Length);
        tenant.Return(600);
        pool.Return(array);
        Assert.Equal((0, 700), (tenant.InUse, all.InUse));
        pool.Core.Validate();
    }

    private static BufferPool<byte> Create(Company company, BufferBudget budget) => BufferPool<byte>.Create(new BufferPoolOptions
    {
        Budget = budget,
        Checks = company.Checks,
        Clearing = company.Clears ? BufferClearing.OnReturn : BufferClearing.OnRequest,
    });

    private static void Write(BufferPool<byte> pool, int count)
    {
        using PooledMemoryStream stream = new(new PooledMemoryStreamOptions { Pool = pool }, count);
    }

    private static void Reserve(BufferPool<byte> pool, int count)
    {
        using PooledWriter<byte> writer = new(pool);
        writer.GetMemory(count);
    }
}
