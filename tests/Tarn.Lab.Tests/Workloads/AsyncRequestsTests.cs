using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Workloads.Arrays;

namespace Tarn.Lab.Tests.Workloads;

public class AsyncRequestsTests
{
    [Fact]
    public void Every_request_is_served_and_every_buffer_returned()
    {
        var pool = BufferPool<byte>.Create();
        var requests = new AsyncRequests<TarnInstance>("", new(pool));

        Assert.True(requests.Run(5_000) > 0);

        BufferPoolStatistics now = pool.GetStatistics();
        Assert.Equal((now.Rented, 0L), (now.Returned, now.InUseBytes));
        Assert.InRange(now.Rented, 5_000 * 2, 5_000 * 14);
        Assert.InRange(requests.PeakInUseBytes, 4_096 + 1, requests.RentedBytes);
        Assert.InRange(requests.AllocatedBytes, 1, long.MaxValue);
        requests.BeginCounting();
        Assert.Equal((0, 0, 0), (requests.RentedBytes, requests.PeakInUseBytes, requests.AllocatedBytes));
    }

    [Fact]
    public void A_buffer_with_two_owners_is_noticed()
    {
        var requests = new AsyncRequests<Careless>("Careless", default);

        var exception = Assert.Throws<InvalidOperationException>(() => requests.Run(20_000));

        Assert.Contains("Careless", exception.Message, StringComparison.Ordinal);
    }

    /// <summary>Returns the same array for every request of the same length.</summary>
    private readonly struct Careless : IBytePool
    {
        private static readonly byte[] s_array = new byte[16 << 10];

        public byte[] Rent(int length) => length == s_array.Length ? s_array : new byte[length];

        public void Return(byte[] array)
        {
        }
    }
}
