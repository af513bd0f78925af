using System.Globalization;
using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>Bad arguments: each with its exception, its parameter's name and its value, and nothing lost or changed.</summary>
public sealed class BufferPoolArgumentTests
{
    private readonly BufferPool<byte> _pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });

    public static TheoryData<BufferPoolOptions, string, string> BadOptions => new()
    {
        { new BufferPoolOptions { Name = null! }, nameof(BufferPoolOptions.Name), "null" },
        { new BufferPoolOptions { MaxArrayLength = 0 }, nameof(BufferPoolOptions.MaxArrayLength), "0" },
        { new BufferPoolOptions { MaxArrayLength = -5 }, nameof(BufferPoolOptions.MaxArrayLength), "-5" },
        { new BufferPoolOptions { MaxArrayLength = (1 << 30) + 1 }, nameof(BufferPoolOptions.MaxArrayLength), "1073741825" },
        { new BufferPoolOptions { MaxRetainedBytes = -1 }, nameof(BufferPoolOptions.MaxRetainedBytes), "-1" },
        { new BufferPoolOptions { SizeClassesPerDoubling = 3 }, nameof(BufferPoolOptions.SizeClassesPerDoubling), "3" },
        { new BufferPoolOptions { SizeClassesPerDoubling = 0 }, nameof(BufferPoolOptions.SizeClassesPerDoubling), "0" },
        { new BufferPoolOptions { SizeClassesPerDoubling = 8 }, nameof(BufferPoolOptions.SizeClassesPerDoubling), "8" },
        { new BufferPoolOptions { IdleTimeout = TimeSpan.Zero }, nameof(BufferPoolOptions.IdleTimeout), "00:00:00" },
        { new BufferPoolOptions { IdleTimeout = TimeSpan.FromSeconds(-2) }, nameof(BufferPoolOptions.IdleTimeout), "-00:00:02" },
        { new BufferPoolOptions { Clearing = (BufferClearing)77 }, nameof(BufferPoolOptions.Clearing), "77" },
        { new BufferPoolOptions { Checks = (BufferChecks)64 }, nameof(BufferPoolOptions.Checks), "64" },
    };

    [Theory]
    [MemberData(nameof(BadOptions), DisableDiscoveryEnumeration = true)]
    public void Options_out_of_range_are_refused_by_name_and_value(BufferPoolOptions options, string setting, string value)
    {
        ArgumentOutOfRangeException e = Assert.Throws<ArgumentOutOfRangeException>(() => BufferPool<byte>.Create(options));
        Assert.Equal("options", e.ParamName);
        Assert.Contains(setting, e.Message, StringComparison.Ordinal);
        Assert.Contains(value, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Options_at_the_ends_of_their_ranges_are_accepted()
    {
        foreach (BufferPoolOptions options in (BufferPoolOptions[])
            [
                new() { MaxArrayLength = 1 },
                new() { MaxArrayLength = 1 << 30 },
                new() { MaxRetainedBytes = 0 },
                new() { MaxRetainedBytes = long.MaxValue },
                new() { IdleTimeout = TimeSpan.FromTicks(1) },
                new() { IdleTimeout = Timeout.InfiniteTimeSpan },
                new() { IdleTimeout = TimeSpan.MaxValue },
                new() { Checks = BufferChecks.All | BufferChecks.SampledLeaks | BufferChecks.FromEnvironment },
            ])
        {
            BufferPool<byte> pool = BufferPool<byte>.Create(options);
            pool.Return(pool.Rent(1));
            pool.Return(pool.Rent(1));
        }
    }

    [Fact]
    public void Null_options_are_refused() =>
        Assert.Equal("options", Assert.Throws<ArgumentNullException>(() => BufferPool<byte>.Create(null!)).ParamName);

    [Theory]
    [InlineData(0, 1, "maxArrayLength")]
    [InlineData(-1, 1, "maxArrayLength")]
    [InlineData(1, 0, "maxArraysPerBucket")]
    [InlineData(1, -1, "maxArraysPerBucket")]
    public void Limits_that_are_not_positive_are_refused(int maxArrayLength, int maxArraysPerBucket, string name)
    {
        ArgumentOutOfRangeException e = Assert.Throws<ArgumentOutOfRangeException>(
            () => BufferPool<byte>.Create(maxArrayLength, maxArraysPerBucket));
        Assert.Equal(name, e.ParamName);
        Assert.NotNull(e.ActualValue);
    }

    [Fact]
    public void Limits_as_large_as_can_be_are_accepted()
    {
        BufferPool<Guid> pool = BufferPool<Guid>.Create(int.MaxValue, int.MaxValue - 1);
        Guid[] array = pool.Rent(100);
        pool.Return(array);
        Assert.Same(array, pool.Rent(100));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(-17)]
    [InlineData(int.MinValue)]
    public void Negative_lengths_are_refused_by_every_member_under_its_own_parameter_name(int length)
    {
        RefusesAll();
        _pool.Return(_pool.Rent(100));
        RefusesAll();
        Assert.Equal(0, _pool.GetStatistics().InUseBytes);
        _pool.Core.Validate();

        void RefusesAll()
        {
            Refuses("minimumLength", () => _pool.Rent(length));
            Refuses("length", () => _pool.RentExact(length));
            Refuses("length", () => _pool.Lease(length).Dispose());
            Refuses("length", () => _pool.LeaseMemory(length));
            Refuses("length", () => new ScratchBuffer<byte>(stackalloc byte[4], length, _pool).Dispose());
            Refuses("length", () => new ScratchBuffer<byte>(stackalloc byte[4], length).Dispose());
            if (length < -1)
            {
                Refuses("minBufferSize", () => _pool.AsMemoryPool().Rent(length));
            }
        }

        void Refuses(string name, Action action)
        {
            ArgumentOutOfRangeException e = Assert.Throws<ArgumentOutOfRangeException>(action);
            Assert.Equal(name, e.ParamName);
            Assert.Contains(length.ToString(CultureInfo.InvariantCulture), e.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Nulls_are_refused()
    {
        Assert.Equal("array", Assert.Throws<ArgumentNullException>(() => _pool.Return(null!)).ParamName);
        Assert.Equal("array", Assert.Throws<ArgumentNullException>(() => _pool.Return(null!, clearArray: true)).ParamName);
        Assert.Equal("array", Assert.Throws<ArgumentNullException>(() => _pool.Return(null!, 3)).ParamName);
        Assert.Equal(
            "pool", Assert.Throws<ArgumentNullException>(() => new ScratchBuffer<byte>([], 1, null!).Dispose()).ParamName);
        Assert.Equal(default, _pool.GetStatistics());
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(17)]
    [InlineData(int.MaxValue)]
    [InlineData(int.MinValue)]
    public void A_used_length_outside_the_array_is_refused_and_the_array_stays_rented(int usedLength)
    {
        byte[] array = _pool.Rent(16);
        array.AsSpan().Fill(7);
        ArgumentOutOfRangeException e = Assert.Throws<ArgumentOutOfRangeException>(() => _pool.Return(array, usedLength));
        Assert.Equal("usedLength", e.ParamName);
        Assert.Contains(usedLength.ToString(CultureInfo.InvariantCulture), e.Message, StringComparison.Ordinal);
        AssertUntouched(array);
        Assert.Equal(16, _pool.GetStatistics().InUseBytes);
        _pool.Return(array, 16);
        Assert.Equal(0, _pool.GetStatistics().InUseBytes);
    }

    [Theory]
    [InlineData(17)]
    [InlineData(9)]
    [InlineData(1001)]
    public void A_foreign_length_is_refused_before_anything_is_cleared_or_counted(int length)
    {
        byte[] mine = _pool.Rent(length);
        _pool.Return(mine);
        BufferPoolStatistics before = _pool.GetStatistics();
        byte[] foreign = new byte[length];
        foreign.AsSpan().Fill(7);
        foreach (Action action in (Action[])
            [
                () => _pool.Return(foreign),
                () => _pool.Return(foreign, clearArray: true),
                () => _pool.Return(foreign, length),
                () => BufferPool<byte>.Create(new BufferPoolOptions { Clearing = BufferClearing.OnReturn }).Return(foreign),
            ])
        {
            ArgumentException e = Assert.Throws<ArgumentException>(action);
            Assert.Equal("array", e.ParamName);
            Assert.Contains(length.ToString(CultureInfo.InvariantCulture), e.Message, StringComparison.Ordinal);
        }

        AssertUntouched(foreign);
        Assert.Equal(before, _pool.GetStatistics());
        Assert.Same(mine, _pool.Rent(length));
    }

    [Fact]
    public void Lengths_below_the_shortest_class_are_refused_where_classes_begin_at_16()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { SizeClassesPerDoubling = 1 });
        pool.Return(pool.Rent(3));
        for (int length = 1; length < 16; length++)
        {
            Assert.Throws<ArgumentException>(() => pool.Return(new byte[length]));
        }
    }

    [Fact]
    public void An_array_of_a_derived_type_is_refused_wherever_it_would_go()
    {
        BufferPool<object> pool = BufferPool<object>.Create();
        object[] disguised = new string[16];
        Refuses();
        object[] top = pool.Rent(16);
        object[] stacked = pool.Rent(16);
        Refuses();
        pool.Return(stacked);
        pool.Return(top);
        Refuses();
        _ = pool.Rent(16);
        Refuses();
        pool.Trim();
        Refuses();
        pool.Return(pool.RentExact(17));
        disguised = new string[17];
        Refuses();

        void Refuses()
        {
            foreach (Action action in (Action[])
                [() => pool.Return(disguised), () => pool.Return(disguised, clearArray: true), () => pool.Return(disguised, 3)])
            {
                ArgumentException e = Assert.Throws<ArgumentException>(action);
                Assert.Equal("array", e.ParamName);
                Assert.Contains("System.String[]", e.Message, StringComparison.Ordinal);
            }
        }
    }

    [Fact]
    public void A_second_return_right_after_the_first_is_refused()
    {
        byte[] array = _pool.Rent(16);
        _pool.Return(array);
        Assert.Contains("16", Assert.Throws<InvalidOperationException>(() => _pool.Return(array)).Message, StringComparison.Ordinal);
        Assert.Throws<InvalidOperationException>(() => _pool.Return(array, clearArray: true));
        Assert.Throws<InvalidOperationException>(() => _pool.Return(array, 3));
        Assert.Equal(1, _pool.GetStatistics().Returned);
        Assert.Same(array, _pool.Rent(16));
        Assert.NotSame(array, _pool.Rent(16));
    }

    [Fact]
    public void Where_memory_cannot_be_had_the_pool_stays_as_it_was()
    {
        BufferPool<Huge> pool = BufferPool<Huge>.Create();
        pool.Return(pool.Rent(1));
        BufferPoolStatistics before = pool.GetStatistics();
        Assert.ThrowsAny<OutOfMemoryException>(() => pool.Rent(1 << 30));
        Assert.ThrowsAny<OutOfMemoryException>(() => pool.RentExact((1 << 30) - 1));
        Assert.ThrowsAny<OutOfMemoryException>(() => pool.LeaseMemory(1 << 30));
        Assert.Equal(before, pool.GetStatistics());
        pool.Core.Validate();
    }

    private static void AssertUntouched(byte[] array) => Assert.Equal(-1, array.AsSpan().IndexOfAnyExcept((byte)7));
}
