using System.Buffers;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Mvc.Formatters;
using Microsoft.Extensions.DependencyInjection;
using Tarn.AspNetCore.Tests.Support;
using Tarn.Diagnostics;

namespace Tarn.AspNetCore.Tests;

public class MvcTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Text_writers_and_readers_of_mvc_rent_from_the_pools(bool mvcFirst)
    {
        await using RunningServer server = await RunningServer.StartAsync(
            application => application.MapControllers(),
            configureBefore: mvcFirst ? AddMvc : null,
            configure: mvcFirst ? null : AddMvc);
        BufferPool<byte> bytes = Assert.IsType<BufferPool<byte>>(server.Services.GetRequiredService<ArrayPool<byte>>());
        BufferPool<char> chars = Assert.IsType<BufferPool<char>>(server.Services.GetRequiredService<ArrayPool<char>>());
        using HttpClient client = server.CreateClient();

        Assert.Equal("text", await client.GetStringAsync(new Uri("/mvc/content", UriKind.Relative)));
        Assert.Equal((1, 1), (bytes.GetStatistics().Rented, chars.GetStatistics().Rented));

        using StringContent sent = new("sent", Encoding.UTF8, "text/plain");
        using HttpResponseMessage answer = await client.PostAsync(new Uri("/mvc/text", UriKind.Relative), sent);
        Assert.Equal("4", await answer.Content.ReadAsStringAsync());
        Assert.InRange(bytes.GetStatistics().Rented, 2, long.MaxValue);
        Assert.InRange(chars.GetStatistics().Rented, 2, long.MaxValue);
        Assert.Equal((0, 0), (bytes.GetStatistics().InUseBytes, chars.GetStatistics().InUseBytes));
        Assert.Contains(BufferDiagnostics.GetSources(), source => source.Name == "mvc.char");
    }

    [Fact]
    public void Without_PoolArrays_mvc_keeps_its_own_pools()
    {
        ServiceCollection services = new();
        services.AddTarn(static options => options.PoolArrays = false);
        services.AddMvcCore();

        using ServiceProvider provider = services.BuildServiceProvider();
        Assert.IsNotType<BufferPool<byte>>(provider.GetRequiredService<ArrayPool<byte>>());
    }

    private static void AddMvc(IServiceCollection services) =>
        services.AddControllers(mvc => mvc.InputFormatters.Insert(0, new PlainTextFormatter()))
            .AddApplicationPart(typeof(MvcTests).Assembly);

    /// <summary>Reads text as formatters with an encoding do: through the reader that MVC gives them.</summary>
    private sealed class PlainTextFormatter : TextInputFormatter
    {
        public PlainTextFormatter()
        {
            SupportedMediaTypes.Add("text/plain");
            SupportedEncodings.Add(Encoding.UTF8);
        }

        public override async Task<InputFormatterResult> ReadRequestBodyAsync(InputFormatterContext context, Encoding encoding)
        {
            using TextReader reader = context.ReaderFactory(context.HttpContext.Request.Body, encoding);
            return await InputFormatterResult.SuccessAsync(await reader.ReadToEndAsync());
        }
    }
}
