using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Builder;
using Tarn.AspNetCore.Tests.Support;

namespace Tarn.AspNetCore.Tests.Page;

public partial class PageTests
{
    [Fact]
    public async Task The_data_lists_blocks_and_pools_and_streams_and_incidents()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "page test" });
        byte[] rented = pool.Rent(5_000);
        BufferBudget budget = new(10, "page test");
        budget.Take(7);
        Assert.False(budget.TryTake(7));
        Task waiting = budget.TakeAsync(7).AsTask();
        await using RunningServer server =
            await RunningServer.StartAsync(application => application.MapTarn("/inner/tarn").AllowAnonymous());
        using HttpClient client = server.CreateClient();
        Uri address = new("/inner/tarn/data.json", UriKind.Relative);
        await client.GetStringAsync(address);
        new PooledMemoryStream().Dispose();

        using JsonDocument data = JsonDocument.Parse(await client.GetStringAsync(address));
        JsonElement root = data.RootElement;

        JsonElement blocks = Assert.Single(root.GetProperty("blocks").EnumerateArray());
        Assert.Equal("kestrel", blocks.GetProperty("owner").GetString());
        Assert.InRange(blocks.GetProperty("rented").GetInt64(), 2, long.MaxValue);
        Assert.InRange(blocks.GetProperty("capBytes").GetInt64(), 1 << 20, long.MaxValue);
        JsonElement source =
            Assert.Single(root.GetProperty("sources").EnumerateArray(), one => one.GetProperty("name").GetString() == "page test");
        Assert.Equal(rented.Length, source.GetProperty("inUseBytes").GetInt64());
        JsonElement shown = Assert.Single(
            root.GetProperty("budgets").GetProperty("shown").EnumerateArray(), one => one.GetProperty("name").GetString() == budget.Name);
        Assert.Equal((7, 10), (shown.GetProperty("inUse").GetInt64(), shown.GetProperty("limit").GetInt64()));
        Assert.Equal((1, 1), (shown.GetProperty("waiting").GetInt32(), shown.GetProperty("refused").GetInt32()));
        Assert.InRange(shown.GetProperty("oldestWait").GetDouble(), double.Epsilon, double.MaxValue);
        Assert.InRange(root.GetProperty("streams").GetProperty("created").GetInt64(), 1, long.MaxValue);
        Assert.True(root.GetProperty("incidents").GetProperty("count").GetInt64() >= 0);
        Assert.Equal(Environment.ProcessId, root.GetProperty("process").GetProperty("id").GetInt32());
        pool.Return(rented);
        budget.Return(7);
        await waiting;
    }

    [Fact]
    public void Of_many_budgets_those_with_the_most_to_tell_are_shown()
    {
        BufferBudget whole = new(1_000, "many");
        BufferBudget[] parts = [.. Enumerable.Range(0, 2 * PageBudgets.MostShown).Select(number => whole.CreateChild(2, $"part {number}"))];
        parts[^1].Take(1);

        PageBudgets budgets = PageBudgets.Read();

        Assert.True(budgets.Count > parts.Length);
        Assert.Equal(PageBudgets.MostShown, budgets.Shown.Count);
        Assert.Contains(budgets.Shown, one => one.Name == parts[^1].Name && one.Parent == "many");
    }

    [Theory]
    [InlineData("/tarn")]
    [InlineData("/tarn/")]
    public async Task The_page_loads_nothing_but_its_data_from_where_it_is_mapped(string path)
    {
        await using RunningServer server = await RunningServer.StartAsync(application =>
        {
            application.UsePathBase("/base");
            application.UseRouting();
            application.MapTarn().AllowAnonymous();
        });
        using HttpClient client = server.CreateClient();
        using HttpResponseMessage answer = await client.GetAsync(new Uri($"/base{path}", UriKind.Relative));
        string page = await answer.Content.ReadAsStringAsync();

        Assert.Contains("data-source=\"/base/tarn/data.json\"", page, StringComparison.Ordinal);
        Assert.DoesNotContain("{{", page, StringComparison.Ordinal);
        Assert.DoesNotMatch("src=|@import|url\\(|https://", page);
        Assert.Equal("no-store", answer.Headers.CacheControl?.ToString());
        string policy = Assert.Single(answer.Headers.GetValues("Content-Security-Policy"));
        Assert.Contains($"script-src '{HashOf(page, ScriptPattern())}'", policy, StringComparison.Ordinal);
        Assert.Contains($"style-src '{HashOf(page, StylePattern())}'", policy, StringComparison.Ordinal);
        Assert.StartsWith("default-src 'none'", policy, StringComparison.Ordinal);
    }

    [Fact]
    public void MapTarn_says_what_is_missing()
    {
        WebApplication application = WebApplication.CreateSlimBuilder().Build();

        InvalidOperationException exception = Assert.Throws<InvalidOperationException>(() => application.MapTarn());
        Assert.Contains("services.AddTarn()", exception.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentNullException>("pattern", () => application.MapTarn(null!));
    }

    [Fact]
    public void Streams_are_counted_only_while_someone_looks()
    {
        ManualTime time = new();
        using StreamWatch watch = new(time);
        Assert.False(watch.IsWatching);

        watch.Look();
        time.Advance(TimeSpan.FromSeconds(10));
        watch.Look();
        time.Advance(TimeSpan.FromSeconds(10));
        Assert.True(watch.IsWatching);

        time.Advance(TimeSpan.FromSeconds(10));
        Assert.False(watch.IsWatching);
        Assert.Equal((0, 0), (watch.Look().Created, watch.Look().Bytes));
    }

    private static string HashOf(string page, Regex pattern) =>
        "sha256-" + Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(pattern.Match(page).Groups[1].Value)));

    [GeneratedRegex("<script>(.*)</script>", RegexOptions.Singleline)]
    private static partial Regex ScriptPattern();

    [GeneratedRegex("<style>(.*)</style>", RegexOptions.Singleline)]
    private static partial Regex StylePattern();
}
