using Microsoft.Extensions.Configuration;

namespace Tarn;

/// <summary>The section of the configuration that the last call of <c>AddTarn</c> with one was given.</summary>
internal sealed record FollowedConfiguration(IConfiguration Section);
